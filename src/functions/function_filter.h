/* Which functions are recorded: the patterns of STINT_FUNCTIONS.
 *
 *     net::*,!net::detail::*          functions of namespace net, but those of net::detail
 *     !*_inline,!@libm*               all but these names, and none of these objects
 *     @libnet.so*:forward*            functions named forward..., of one library
 *
 * A list of patterns, separated by commas; blanks around one do not count, nor do empty ones. A pattern matches the
 * whole of the name that reports show, or of that name without the return type and parameters of C++: `f` is f(int),
 * too. As in fnmatch(3), `*` stands for any text, `?` for any one byte, `[a-z]` and `[!a-z]` for one of those or not,
 * and `\` takes the next character as it is. One that begins with `@` matches the file name of the object, without its
 * folder; a `:` and a pattern for the name may follow. `!` before either excludes.
 *
 * The last pattern that matches decides. A function that none matches is recorded if there are no patterns or the first
 * one excludes, and is not if the first one includes. */
#ifndef STINT_FUNCTIONS_FUNCTION_FILTER_H
#define STINT_FUNCTIONS_FUNCTION_FILTER_H

/* Returns whether a function is to be recorded; `patterns` NULL is "". */
int stint_filter_accepts(const char *patterns, const char *object, const char *name);

#endif
