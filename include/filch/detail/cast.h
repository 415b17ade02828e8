/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Casts that C++ compilers do not warn about: -Wold-style-cast, -Wuseless-cast, -Wzero-as-null-pointer-constant.
 *
 *   FILCHI_CAST     between numbers, and from or to void *
 *   FILCHI_RECAST   between pointers, and between a pointer and a number
 *   FILCHI_SIZE     an integer of any type as a size_t, also if it is one
 *   FILCHI_NULL     the null pointer
 *
 * FILCHI_PRIVATE_BEGIN and _END enclose types that other files of a program may have under the same name.
 */
#ifndef FILCH_DETAIL_CAST_H
#define FILCH_DETAIL_CAST_H

#ifdef __cplusplus
#define FILCHI_CAST(type, value) static_cast<type>(value)
#define FILCHI_RECAST(type, value) reinterpret_cast<type>(value)
#define FILCHI_SIZE(number) static_cast<size_t>(0LL + (number)) /* the sum is never a size_t */
#define FILCHI_PRIVATE_BEGIN                                                                                           \
	namespace                                                                                                      \
	{
#define FILCHI_PRIVATE_END }
#else
#define FILCHI_CAST(type, value) ((type)(value))
#define FILCHI_RECAST(type, value) ((type)(value))
#define FILCHI_SIZE(number) ((size_t)(number))
#define FILCHI_PRIVATE_BEGIN
#define FILCHI_PRIVATE_END
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FILCHI_NULL nullptr
#else
#define FILCHI_NULL NULL
#endif

#endif
