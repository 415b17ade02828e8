/* SPDX-License-Identifier: Apache-2.0 */
/* Counting and mapping of macro arguments, for detail/task_define.h. */
#ifndef FILCH_DETAIL_EXPAND_H
#define FILCH_DETAIL_EXPAND_H

/*
 * Counts result, name, type, parameter, ...: how many they are; 1 if a type or a parameter is missing; 0 if there are
 * too many. Calls m(type, parameter) for each pair, if they can be counted.
 */
#define FILCHI_CAT_(a, b) a##b
#define FILCHI_CAT(a, b) FILCHI_CAT_(a, b)
#define FILCHI_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, count, ...) count
#define FILCHI_COUNT(...)                                                                                              \
	FILCHI_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 18, 1, 16, 1, 14, 1, 12, 1, 10, 1, 8, 1, 6, 1, 4, 1, 2, 1, ~)
#define FILCHI_EACH_0(m, ...)
#define FILCHI_EACH_1(m, ...)
#define FILCHI_EACH_2(m, r, f)
#define FILCHI_EACH_4(m, r, f, t, v) m(t, v)
#define FILCHI_EACH_6(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_4(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_8(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_6(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_10(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_8(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_12(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_10(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_14(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_12(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_16(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_14(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_18(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_16(m, r, f, __VA_ARGS__)
#define FILCHI_EACH(m, ...) FILCHI_CAT(FILCHI_EACH_, FILCHI_COUNT(__VA_ARGS__))(m, __VA_ARGS__)
/* Type and name of the first parameter; void *filchi_none_ if there is none. */
#define FILCHI_FIRST_TYPE(...) FILCHI_FIRST_TYPE_(__VA_ARGS__, void *, ~)
#define FILCHI_FIRST_TYPE_(r, f, t, ...) t
#define FILCHI_FIRST_NAME(...) FILCHI_FIRST_NAME_(__VA_ARGS__, void *, filchi_none_, ~)
#define FILCHI_FIRST_NAME_(r, f, t, v, ...) v
#define FILCHI_FIELD(type, name) type name;
#define FILCHI_PARAMETER(type, name) , type name
#define FILCHI_PASS(type, name) , name
#define FILCHI_UNPACK(type, name) type name = filchi_args_->name;
#define FILCHI_PACK(type, name) filchi_args_->name = name;
/* The same with FILCHI_GIVEN: parameters of a function, its arguments, and the values of its parameters. */
#define FILCHI_GIVEN_PARAMETER(type, name) , FILCHI_GIVEN(type) name
#define FILCHI_GIVEN_PASS(type, name) , FILCHI_GIVE(type, name)
#define FILCHI_GIVEN_VALUE(type, name) , FILCHI_TAKE(type, name)

/* The first argument, and the rest with a comma before it. */
#define FILCHI_FIRST_(first, ...) first
#define FILCHI_FIRST(...) FILCHI_FIRST_(__VA_ARGS__, ~)
#define FILCHI_APPLY_1(suffix, first, name) FILCHI_CAT(name, suffix)(first)
#define FILCHI_APPLY_2(suffix, first, name, ...) FILCHI_CAT(name, suffix)(first, __VA_ARGS__)
#define FILCHI_MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, many, ...) many
#define FILCHI_MANY(...) FILCHI_MANY_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, ~)
#define FILCHI_APPLY(suffix, first, ...) FILCHI_CAT(FILCHI_APPLY_, FILCHI_MANY(__VA_ARGS__))(suffix, first, __VA_ARGS__)

/* VOID or VALUE, as the result is; void * is a value. Only void leaves no word before (), and that makes two. */
#define FILCHI_NOTHING_void
#define FILCHI_TWO() ~, ~
#define FILCHI_THIRD_(a, b, third, ...) third
#define FILCHI_THIRD(...) FILCHI_THIRD_(__VA_ARGS__, VOID, VALUE, ~)
#define FILCHI_IS_(rest) FILCHI_THIRD(FILCHI_TWO rest())
#define FILCHI_IS(rest) FILCHI_IS_(rest)

#endif
