/* Names of functions as tables show them: without what they return and take, and with short names for types of the
 * standard library. */
#include "cpu/cpu_profile.h"

#include <stdio.h>
#include <string.h>

/* Where the parameters of a C++ function begin, or the end; `begin` receives where its name does, behind the type that
 * it returns. Blanks and brackets within template arguments do not count, nor do those of operators. */
static size_t end_of_name(const char *name, size_t *begin)
{
    static const char anonymous[] = "(anonymous namespace)";
    int depth = 0;
    *begin = 0;
    if (strstr(name, "operator"))
        return strlen(name);
    for (size_t i = 0; name[i]; i++) {
        if (strncmp(name + i, anonymous, sizeof anonymous - 1) == 0)
            i += sizeof anonymous - 1;
        depth += (name[i] == '<') - (name[i] == '>');
        if (depth == 0 && name[i] == ' ')
            *begin = i + 1;
        if (depth == 0 && (name[i] == '(' || !name[i]) && i)
            return i;
    }
    *begin = 0;
    return strlen(name);
}

/* Inline namespaces, and what iterators are wrapped in. */
static const char *const s_dropped[] = {"__cxx11::", "__gnu_cxx::__ops::", "__gnu_cxx::"};

/* Arguments of templates that are nearly always the ones that the standard has as default. */
static const char *const s_usual[] = {
    ", std::allocator<",      ", std::char_traits<", ", std::less<",       ", std::hash<",      ", std::equal_to<",
    ", std::default_delete<", ", std::__detail::",   ", std::_Select1st<", ", std::_Identity<",
};

static void cut(char *from, size_t length)
{
    memmove(from, from + length, strlen(from + length) + 1);
}

/* Returns how long the template's argument is that begins there, with what it contains. */
static size_t length_of_argument(const char *text)
{
    size_t i = 1; /* the comma */
    for (int depth = 0; text[i] && (depth || !strchr(",>)", text[i])); i++)
        depth += (text[i] == '<') - (text[i] == '>');
    return i;
}

static void cut_all(char *name, const char *what, int is_template)
{
    for (char *at = name; (at = strstr(at, what));)
        cut(at, is_template ? length_of_argument(at) : strlen(what));
}

/* "::h0123456789abcdef", which tells functions apart that rustc made of one in the source. */
static void cut_rust_hash(char *name)
{
    enum { LENGTH = 19, DIGITS = 16 };
    size_t length = strlen(name);
    if (length > LENGTH && strncmp(name + length - LENGTH, "::h", 3) == 0 &&
        strspn(name + length - DIGITS, "0123456789abcdef") == DIGITS)
        name[length - LENGTH] = '\0';
}

void stint_cpu_short_name(const char *function, char *out, size_t size)
{
    static const char string[] = "std::basic_string<char>";
    size_t begin, end = end_of_name(function, &begin);
    (void)snprintf(out, size, "%.*s", (int)(end - begin), function + begin);
    for (size_t i = 0; i < sizeof s_dropped / sizeof s_dropped[0]; i++)
        cut_all(out, s_dropped[i], 0);
    for (size_t i = 0; i < sizeof s_usual / sizeof s_usual[0]; i++)
        cut_all(out, s_usual[i], 1);
    for (char *at = out; (at = strstr(at, " >"));)
        cut(at, 1);
    for (char *at = out; (at = strstr(at, string));) {
        memcpy(at, "std::string", sizeof "std::string" - 1);
        at += sizeof "std::string" - 1;
        cut(at, sizeof string - sizeof "std::string");
    }
    cut_rust_hash(out);
}
