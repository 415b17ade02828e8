/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts that C++ compilers do not warn about: -Wold-style-cast, -Wuseless-cast, -Wzero-as-null-pointer-constant.
 *
 *   FILCHI_CAST     between numbers, and from or to void *
 *   FILCHI_RECAST   between pointers, and between a pointer and a number
 *   FILCHI_SIZE     an integer of any type as a size_t, also if it is one
 *   FILCHI_NULL     the null pointer
 *
 * A value of more than 16 bytes is given to a function as a pointer to the caller's copy. As an argument it would be
 * copied to the stack in large pieces, right after the caller has written small ones. Each such copy would have to wait
 * until these stores have reached the cache: a search whose state is a struct would take up to five times as long.
 *
 *   FILCHI_GIVEN   the type of the parameter
 *   FILCHI_GIVE    the argument, for a variable
 *   FILCHI_TAKE    the value of the parameter
 *
 * FILCHI_PRIVATE_BEGIN and _END enclose types that other files of a program may have under the same name.
 */
#ifndef FILCH_DETAIL_CAST_H
#define FILCH_DETAIL_CAST_H

#ifdef __cplusplus
#define FILCHI_CAST(type, value) static_cast<type>(value)
#define FILCHI_RECAST(type, value) reinterpret_cast<type>(value)
#define FILCHI_SIZE(number) static_cast<size_t>(0LL + (number)) /* the sum is never a size_t */
extern "C++" {
template <class type, bool is_large> struct filchi_given_ {
	typedef type given;
	__attribute__((always_inline)) static type give(const type &value)
	{
		return value;
	}
	__attribute__((always_inline)) static type take(type value)
	{
		return value;
	}
};
template <class type> struct filchi_given_<type, true> {
	typedef const type *given;
	__attribute__((always_inline)) static const type *give(const type &value)
	{
		return &value;
	}
	__attribute__((always_inline)) static const type &take(const type *value)
	{
		return *value;
	}
};
}
#define FILCHI_GIVEN_(type) filchi_given_<type, (sizeof(type) > 16)>
#define FILCHI_GIVEN(type) FILCHI_GIVEN_(type)::given
#define FILCHI_GIVE(type, variable) FILCHI_GIVEN_(type)::give(variable)
#define FILCHI_TAKE(type, parameter) FILCHI_GIVEN_(type)::take(parameter)
#define FILCHI_PRIVATE_BEGIN                                                                                           \
	namespace                                                                                                      \
	{
#define FILCHI_PRIVATE_END }
#else
#define FILCHI_CAST(type, value) ((type)(value))
#define FILCHI_RECAST(type, value) ((type)(value))
#define FILCHI_SIZE(number) ((size_t)(number))
#define FILCHI_GIVEN(type) __typeof__(*__builtin_choose_expr(sizeof(type) > 16, (type const **)0, (type *)0))
#define FILCHI_GIVE(type, variable) __builtin_choose_expr(sizeof(type) > 16, &variable, variable)
#define FILCHI_TAKE(type, parameter) (*__builtin_choose_expr(sizeof(type) > 16, parameter, &parameter))
#define FILCHI_PRIVATE_BEGIN
#define FILCHI_PRIVATE_END
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FILCHI_NULL nullptr
#else
#define FILCHI_NULL NULL
#endif

#endif
