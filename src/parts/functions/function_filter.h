/* Selects the functions that are recorded: the patterns of STINT_FUNCTIONS.
 *
 *     net::*,!net::detail::*          functions of namespace net, except those of net::detail
 *     !*_inline,!@libm*               all functions except these names and those of these objects
 *     @libnet.so*:forward*            functions of one library named forward...
 *
 * The text is a list of patterns, separated by commas; blanks around patterns and empty patterns are ignored. A pattern
 * has to match the whole name that reports show, or that name without the return type and parameters of C++: `f` also
 * matches f(int). As in fnmatch(3), `*` stands for any text, `?` for any one byte, `[a-z]` and `[!a-z]` for one byte
 * that is or is not in a set, and `\` takes the next character literally. A pattern that begins with `@` matches the
 * file name of the object, without its folder; a `:` and a pattern for the name may follow. `!` before either kind
 * excludes functions.
 *
 * The last pattern that matches decides. A function that no pattern matches is recorded if there are no patterns or the
 * first one excludes; it is not recorded if the first one includes. */
#ifndef STINT_FUNCTIONS_FUNCTION_FILTER_H
#define STINT_FUNCTIONS_FUNCTION_FILTER_H

/* Returns whether the patterns contain `!tiny`, which is none: it leaves out functions by what they take. */
int stint_filter_has_tiny(const char *patterns);

/* Returns whether a function is to be recorded; `patterns` may be NULL, like "". */
int stint_filter_accepts(const char *patterns, const char *object, const char *name);

#endif
