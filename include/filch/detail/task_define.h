/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The expansion of FILCH_TASK. A task fib has these parts:
 *
 *   fib_filch_body_      the body that the user writes, inlined into fib_filch_enter_
 *   fib_filch_enter_     the function: the hidden parameters worker and head, then the parameters of the task
 *   fib_filch_spawn_     FILCH_SPAWN; likewise _spawn_n_, _sync_, _sync_all_, _call_ and _run_
 *   fib_filch_make_      the cold part of FILCH_SPAWN: makes a task
 *   fib_filch_execute_   runs a task from its descriptor, and puts the result there
 *   fib_filch_args_      the struct of the arguments; likewise _result_
 *   fib_filch_lines_     the lines that the descriptor takes
 *   fib_filch_shape_     FILCHI_SHAPE of its result
 *
 * Edges, as in src/task/spawn.c:
 *   J3   state of a task: 0 if it was a call; then no other thread ever knew the task
 */
#ifndef FILCH_DETAIL_TASK_DEFINE_H
#define FILCH_DETAIL_TASK_DEFINE_H

#include "expand.h"
#include "task.h"

FILCH_BEGIN_DECLS

#define FILCHI_RETURN_VOID
#define FILCHI_RETURN_VALUE return
#define FILCHI_RESULT_SIZE_VOID(result) 0
#define FILCHI_RESULT_SIZE_VALUE(result) sizeof(result)
#define FILCHI_RESULT_VOID(result) char
#define FILCHI_RESULT_VALUE(result) result
#define FILCHI_RESULT_SIMPLE_VOID(result) 1
#define FILCHI_RESULT_SIMPLE_VALUE(result) FILCHI_SIMPLE(result)

/*
 * The result of a task, in the place of its arguments. It is copied as a member: a copy of bytes would load larger
 * pieces than the stores before it, and wait for those stores.
 */
#define FILCHI_VALUE(kind, task) (FILCHI_CAST(struct kind *, FILCHI_CAST(void *, (task)->payload))->value)

/* A spawn that is a call: its result goes to the frame, or, if it is too large, to the task stack. */
#define FILCHI_SPAWN_CALL_VOID(result, kind, lines, call)                                                              \
	call;                                                                                                          \
	filchi_here_->shape = FILCHI_SHAPE(lines, 0);                                                                  \
	filchi_here_->cached = 1
#define FILCHI_SPAWN_CALL_VALUE(result, kind, lines, call)                                                             \
	result filchi_result_ = call;                                                                                  \
	if (sizeof(result) <= sizeof filchi_here_->value) {                                                            \
		filchi_value_set(filchi_here_->value, &filchi_result_,                                                 \
				 sizeof(result) <= sizeof filchi_here_->value ? sizeof(result) : 0);                   \
		filchi_here_->shape = FILCHI_SHAPE(lines, sizeof(result));                                             \
		filchi_here_->cached = 1;                                                                              \
	} else {                                                                                                       \
		filchi_task_done(filchi_here_->head, lines);                                                           \
		FILCHI_VALUE(kind, filchi_here_->head) = filchi_result_;                                               \
		filchi_here_->head += lines;                                                                           \
	}

/*
 * A sync. gcc is not told that the result is likely here: it then would keep more in registers that it must save before
 * the test for a leaf, and fib with a result of type long would take 1.4 times as long.
 */
#define FILCHI_SYNC_VOID(result, kind, lines)                                                                          \
	FILCHI_DEBUG_SYNC(filchi_here_, return );                                                                      \
	if (filchi_here_->cached) {                                                                                    \
		filchi_here_->cached = 0;                                                                              \
		return;                                                                                                \
	}                                                                                                              \
	filchi_here_->head -= lines;                                                                                   \
	if (FILCH_TASK_LOAD_(&filchi_here_->head->state, J3))                                                          \
	filch_task_sync_(filchi_here_->worker, filchi_here_->head)
#define FILCHI_SYNC_VALUE(result, kind, lines)                                                                         \
	result filchi_result_;                                                                                         \
	FILCHI_DEBUG_SYNC(filchi_here_, __builtin_memset(&filchi_result_, 0, sizeof filchi_result_);                   \
			  return filchi_result_);                                                                      \
	if (sizeof(result) <= sizeof filchi_here_->value && filchi_here_->cached) {                                    \
		filchi_here_->cached = 0;                                                                              \
		filchi_value_get(&filchi_result_, filchi_here_->value,                                                 \
				 sizeof(result) <= sizeof filchi_here_->value ? sizeof(result) : 0);                   \
		return filchi_result_;                                                                                 \
	}                                                                                                              \
	filchi_here_->head -= lines;                                                                                   \
	if (FILCH_TASK_LOAD_(&filchi_here_->head->state, J3))                                                          \
		filch_task_sync_(filchi_here_->worker, filchi_here_->head);                                            \
	return FILCHI_VALUE(kind, filchi_here_->head)

#define FILCHI_EXECUTE_VOID(kind, call) call
#define FILCHI_EXECUTE_VALUE(kind, call) FILCHI_VALUE(kind, filchi_task_) = call
#define FILCHI_SPAWN_N_CALL_VOID(kind, place, call) call
#define FILCHI_SPAWN_N_CALL_VALUE(kind, place, call) FILCHI_VALUE(kind, place) = call
#define FILCHI_RUN_VOID(kind, task) (void)0
#define FILCHI_RUN_VALUE(kind, task) return FILCHI_VALUE(kind, task)

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FILCHI_ASSERT(condition, why) static_assert(condition, why)
#elif defined(__cplusplus)
#define FILCHI_ASSERT(condition, why) typedef char filchi_assert_[(condition) ? 1 : -1] FILCHI_UNUSED
#else
#define FILCHI_ASSERT(condition, why) _Static_assert(condition, why)
#endif

/*
 * A name is one word. If a type and a name have no comma between them, the first error of the compiler must say so, and
 * not the errors that follow from it. The same holds for a declarator, such as a[10] or (*f)(int), in place of a name.
 * In C, clang can look into a constant text only where a function is called.
 */
#define FILCHI_PAIRS "parameters of a task are pairs: type, name"
#define FILCHI_ARRAY "a parameter of a task cannot be an array: pass a pointer"
#define FILCHI_TYPEDEF "give pointers to functions and to arrays a typedef"
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int filchi_word(const char *text)
	__attribute__((diagnose_if(__builtin_strchr(text, '('), FILCHI_TYPEDEF, "error"),
		       diagnose_if(__builtin_strchr(text, '['), FILCHI_ARRAY, "error"),
		       diagnose_if(__builtin_strchr(text, ' ') || __builtin_strchr(text, '*'), FILCHI_PAIRS, "error")));
#pragma clang diagnostic pop
#define FILCHI_WORD(text) FILCHI_ASSERT(sizeof(filchi_word(text)) != 0, FILCHI_PAIRS);
#else
#define FILCHI_WORD(text)                                                                                              \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, '('), FILCHI_TYPEDEF);                                     \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, '['), FILCHI_ARRAY);                                       \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, ' ') && !__builtin_strchr(text, '*'), FILCHI_PAIRS);
#endif
#define FILCHI_NAMED(type, name) FILCHI_WORD(#name)

/* Arguments and results are copied as bytes. Any type of C may be. */
#ifdef __cplusplus
#define FILCHI_SIMPLE(type) __is_trivially_copyable(type)
#else
#define FILCHI_SIMPLE(type) 1
#endif

#define FILCHI_MAX(a, b) ((a) > (b) ? (a) : (b))

/* All parts of a task except the body. linkage is the linkage of fib_filch_enter_. */
#define FILCHI_TASK_HELPERS(linkage, result, ...)                                                                      \
	FILCHI_TASK_HELPERS_(linkage, result, FILCHI_IS(FILCHI_NOTHING_##result), FILCHI_FIRST(__VA_ARGS__), result,   \
			     __VA_ARGS__)
#define FILCHI_TASK_HELPERS_(...) FILCHI_TASK_HELPERS__(__VA_ARGS__)
#define FILCHI_TASK_HELPERS__(linkage, result, is, name, ...)                                                          \
	FILCHI_ASSERT(FILCHI_COUNT(__VA_ARGS__) != 1, FILCHI_PAIRS);                                                   \
	FILCHI_ASSERT(FILCHI_COUNT(__VA_ARGS__) != 0, "a task has eight parameters at most");                          \
	FILCHI_EACH(FILCHI_NAMED, __VA_ARGS__)                                                                         \
	FILCHI_PRIVATE_BEGIN                                                                                           \
	struct __attribute__((may_alias)) name##_filch_args_ {                                                         \
		FILCHI_EACH(FILCHI_FIELD, __VA_ARGS__) char filchi_none_[1];                                           \
	};                                                                                                             \
	struct __attribute__((may_alias)) name##_filch_result_ {                                                       \
		FILCHI_CAT(FILCHI_RESULT_, is)(result) value;                                                          \
	};                                                                                                             \
	typedef FILCHI_FIRST_TYPE(__VA_ARGS__) name##_filch_number_;                                                   \
	enum {                                                                                                         \
		name##_filch_lines_ = FILCHI_TASK_LINES(                                                               \
			FILCHI_MAX(sizeof(struct name##_filch_args_), FILCHI_CAT(FILCHI_RESULT_SIZE_, is)(result))),   \
		name##_filch_shape_ =                                                                                  \
			FILCHI_SHAPE(name##_filch_lines_, FILCHI_CAT(FILCHI_RESULT_SIZE_, is)(result) <= 16            \
								  ? FILCHI_CAT(FILCHI_RESULT_SIZE_, is)(result)        \
								  : 0)                                                 \
	};                                                                                                             \
	FILCHI_PRIVATE_END                                                                                             \
	FILCHI_ASSERT(__alignof__(struct name##_filch_args_) <= 16, "an argument needs too large an alignment");       \
	FILCHI_ASSERT(name##_filch_lines_ <= UINT16_MAX, "arguments or result are too large");                         \
	FILCHI_ASSERT(FILCHI_SIMPLE(struct name##_filch_args_), "a parameter must be trivially copyable");             \
	FILCHI_ASSERT(FILCHI_CAT(FILCHI_RESULT_SIMPLE_, is)(result), "a result must be trivially copyable");           \
	linkage result name##_filch_enter_(struct filch_worker_ *,                                                     \
					   struct filch_task *FILCHI_EACH(FILCHI_GIVEN_PARAMETER, __VA_ARGS__));       \
	FILCHI_UNUSED static void name##_filch_execute_(struct filch_worker_ *filchi_worker_,                          \
							struct filch_task *filchi_task_,                               \
							struct filch_task *filchi_head_)                               \
	{                                                                                                              \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ =                                                \
			FILCHI_CAST(struct name##_filch_args_ *, FILCHI_CAST(void *, filchi_task_->payload));          \
		FILCHI_EACH(FILCHI_UNPACK, __VA_ARGS__)                                                                \
		FILCHI_CAT(FILCHI_EXECUTE_, is)                                                                        \
		(name##_filch_result_,                                                                                 \
		 name##_filch_enter_(filchi_worker_, filchi_head_ FILCHI_EACH(FILCHI_GIVEN_PASS, __VA_ARGS__)));       \
	}                                                                                                              \
	FILCHI_UNUSED static inline void name##_filch_pack_(                                                           \
		struct filch_task *filchi_task_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                            \
	{                                                                                                              \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ =                                                \
			FILCHI_CAST(struct name##_filch_args_ *, FILCHI_CAST(void *, filchi_task_->payload));          \
		filchi_task_->run = name##_filch_execute_;                                                             \
		FILCHI_EACH(FILCHI_PACK, __VA_ARGS__)                                                                  \
	}                                                                                                              \
	FILCHI_UNUSED static __attribute__((noinline, cold)) void name##_filch_make_(                                  \
		struct filch_worker_ *filchi_worker_,                                                                  \
		struct filch_task *filchi_task_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                            \
	{                                                                                                              \
		name##_filch_pack_(filchi_task_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                                \
		filch_task_spawn_(filchi_worker_, filchi_task_, name##_filch_lines_);                                  \
	}                                                                                                              \
	FILCHI_INLINE void name##_filch_spawn_(                                                                        \
		struct filch_frame *filchi_here_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                           \
	{                                                                                                              \
		FILCHI_DEBUG_SPAWN(filchi_here_, 1);                                                                   \
		filchi_frame_spill(filchi_here_);                                                                      \
		if (__builtin_expect(filchi_frame_calls(filchi_here_), 1)) {                                           \
			FILCHI_CAT(FILCHI_SPAWN_CALL_, is)                                                             \
			(result, name##_filch_result_, name##_filch_lines_,                                            \
			 name##_filch_enter_(filchi_here_->worker,                                                     \
					     filchi_here_->head FILCHI_EACH(FILCHI_GIVEN_PASS, __VA_ARGS__)));         \
		} else {                                                                                               \
			name##_filch_make_(filchi_here_->worker,                                                       \
					   filchi_here_->head FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                  \
			filchi_here_->head += name##_filch_lines_;                                                     \
		}                                                                                                      \
	}                                                                                                              \
	FILCHI_INLINE void name##_filch_spawn_n_(struct filch_frame *filchi_here_,                                     \
						 size_t filchi_count_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))      \
	{                                                                                                              \
		static const struct filch_spawn_n_kind filchi_kind_ = {                                                \
			name##_filch_execute_, name##_filch_lines_,                                                    \
			FILCHI_CAST(uint16_t, sizeof(name##_filch_number_)),                                           \
			FILCHI_CAST(uint32_t, sizeof(struct name##_filch_args_)),                                      \
			FILCHI_CAST(uint32_t, FILCHI_CAT(FILCHI_RESULT_SIZE_, is)(result))};                           \
		struct {                                                                                               \
			struct filch_spawn_n spawn_n;                                                                  \
			struct name##_filch_args_ args __attribute__((aligned(16)));                                   \
		} filchi_spawn_n_;                                                                                     \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ = &filchi_spawn_n_.args;                         \
		FILCHI_UNUSED void *filchi_none_;                                                                      \
		struct filch_task *filchi_slot_, *filchi_top_;                                                         \
		if (FILCHI_CAST(ptrdiff_t, filchi_count_) <= 0)                                                        \
			return;                                                                                        \
		FILCHI_DEBUG_SPAWN(filchi_here_, filchi_count_);                                                       \
		filchi_frame_spill(filchi_here_);                                                                      \
		FILCHI_EACH(FILCHI_PACK, __VA_ARGS__)                                                                  \
		filchi_slot_ = filchi_here_->head;                                                                     \
		filchi_top_ = filchi_slot_ + filchi_count_ * name##_filch_lines_;                                      \
		if (__builtin_expect(filchi_count_ >= 64 / name##_filch_lines_, 0))                                    \
			filch_task_probe_stack_(filchi_here_->worker, filchi_slot_, filchi_count_,                     \
						name##_filch_lines_);                                                  \
		filchi_spawn_n_.spawn_n.kind = &filchi_kind_;                                                          \
		filchi_spawn_n_.spawn_n.first = filchi_slot_;                                                          \
		filchi_spawn_n_.spawn_n.end = filchi_count_;                                                           \
		filchi_spawn_n_begin(&filchi_spawn_n_.spawn_n, filchi_here_->worker);                                  \
		for (size_t filchi_i_ = 0; filchi_i_ < filchi_spawn_n_.spawn_n.end; filchi_i_++) {                     \
			filchi_number(                                                                                 \
				FILCHI_RECAST(void *, FILCHI_RECAST(uintptr_t, &FILCHI_FIRST_NAME(__VA_ARGS__))),      \
				sizeof(name##_filch_number_), filchi_i_);                                              \
			filchi_spawn_n_.spawn_n.next = filchi_i_ + 1;                                                  \
			if (__builtin_expect(!filchi_frame_calls(filchi_here_), 0))                                    \
				filch_task_spawn_n_(filchi_here_->worker, filchi_here_->head);                         \
			filchi_task_done(filchi_slot_, name##_filch_lines_);                                           \
			FILCHI_CAT(FILCHI_SPAWN_N_CALL_, is)                                                           \
			(name##_filch_result_, filchi_slot_,                                                           \
			 name##_filch_enter_(filchi_here_->worker,                                                     \
					     filchi_top_ FILCHI_EACH(FILCHI_GIVEN_PASS, __VA_ARGS__)));                \
			filchi_slot_ += name##_filch_lines_;                                                           \
		}                                                                                                      \
		filchi_spawn_n_end(&filchi_spawn_n_.spawn_n, filchi_here_->worker);                                    \
		filchi_here_->head = filchi_top_;                                                                      \
	}                                                                                                              \
	FILCHI_INLINE                                                                                                  \
	result name##_filch_sync_(struct filch_frame *filchi_here_)                                                    \
	{                                                                                                              \
		FILCHI_CAT(FILCHI_SYNC_, is)(result, name##_filch_result_, name##_filch_lines_);                       \
	}                                                                                                              \
	FILCHI_INLINE void name##_filch_sync_all_(struct filch_frame *filchi_here_)                                    \
	{                                                                                                              \
		while (filchi_here_->cached || filchi_here_->head > filchi_here_->base)                                \
			name##_filch_sync_(filchi_here_);                                                              \
	}                                                                                                              \
	FILCHI_INLINE                                                                                                  \
	result name##_filch_call_(struct filch_frame *filchi_here_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))         \
	{                                                                                                              \
		FILCHI_CAT(FILCHI_RETURN_, is)                                                                         \
		name##_filch_enter_(filchi_here_->worker,                                                              \
				    filchi_here_->head FILCHI_EACH(FILCHI_GIVEN_PASS, __VA_ARGS__));                   \
	}                                                                                                              \
	FILCHI_UNUSED static inline result name##_filch_run_(                                                          \
		struct filch_pool *filchi_pool_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                            \
	{                                                                                                              \
		struct filch_task filchi_task_[name##_filch_lines_];                                                   \
		name##_filch_pack_(filchi_task_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                                \
		filch_task_run_(filchi_pool_, filchi_task_);                                                           \
		FILCHI_CAT(FILCHI_RUN_, is)(name##_filch_result_, filchi_task_);                                       \
	}

/* The user's body follows. Its frame is a variable of _enter_, so that the compiler takes it apart into registers. */
#define FILCHI_TASK_BODY(linkage, result, ...)                                                                         \
	FILCHI_TASK_BODY_(linkage, result, FILCHI_IS(FILCHI_NOTHING_##result), FILCHI_FIRST(__VA_ARGS__), result,      \
			  __VA_ARGS__)
#define FILCHI_TASK_BODY_(...) FILCHI_TASK_BODY__(__VA_ARGS__)
#define FILCHI_TASK_BODY__(linkage, result, is, name, ...)                                                             \
	static inline __attribute__((always_inline))                                                                   \
	result name##_filch_body_(struct filch_frame *FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__));                     \
	linkage result name##_filch_enter_(                                                                            \
		struct filch_worker_ *filchi_worker_,                                                                  \
		struct filch_task *filchi_head_ FILCHI_EACH(FILCHI_GIVEN_PARAMETER, __VA_ARGS__))                      \
	{                                                                                                              \
		FILCHI_FRAME(filchi_frame_, filchi_worker_, filchi_head_, name##_filch_shape_);                        \
		FILCHI_CAT(FILCHI_RETURN_, is)                                                                         \
		name##_filch_body_(&filchi_frame_ FILCHI_EACH(FILCHI_GIVEN_VALUE, __VA_ARGS__));                       \
	}                                                                                                              \
	FILCHI_INLINE result name##_filch_body_(                                                                       \
		FILCHI_UNUSED struct filch_frame *filch_only_inside_a_task_ FILCHI_EACH(FILCHI_PARAMETER,              \
											__VA_ARGS__))

/* A value of the type. In C++ the class of a bool is not the class of an integer. */
#ifdef __cplusplus
#define FILCHI_ANY(type) type()
#define FILCHI_NOT_BOOL(type) true
#else
#define FILCHI_ANY(type) *(type *)0
#define FILCHI_NOT_BOOL(type) ((type)2 == 2)
#endif

/* FILCH_SPAWN_N without and with further arguments. The 0 stands for the number. */
#define FILCHI_NUMBERED(name, count)                                                                                   \
	typedef __typeof__((count) + 0) filchi_count_type_;                                                            \
	FILCHI_ASSERT(__builtin_classify_type(FILCHI_ANY(filchi_count_type_)) <= 4,                                    \
		      "how many to spawn must be an integer");                                                         \
	FILCHI_ASSERT(__builtin_classify_type(FILCHI_ANY(name##_filch_number_)) == 1 &&                                \
			      sizeof(name##_filch_number_) <= 8,                                                       \
		      "the first parameter must be an integer: the number");                                           \
	FILCHI_ASSERT(FILCHI_NOT_BOOL(name##_filch_number_), "the first parameter must be an integer: the number")
#define FILCHI_SPAWN_N_1(name, count)                                                                                  \
	do {                                                                                                           \
		FILCHI_NUMBERED(name, count);                                                                          \
		name##_filch_spawn_n_(filch_only_inside_a_task_, FILCHI_SIZE(count), 0);                               \
	} while (0)
#define FILCHI_SPAWN_N_2(name, count, ...)                                                                             \
	do {                                                                                                           \
		FILCHI_NUMBERED(name, count);                                                                          \
		name##_filch_spawn_n_(filch_only_inside_a_task_, FILCHI_SIZE(count), 0, __VA_ARGS__);                  \
	} while (0)

/* Takes the semicolon after a declaration. */
#define FILCHI_TASK_END(...) FILCHI_ASSERT(1, "")

FILCH_END_DECLS

#endif
