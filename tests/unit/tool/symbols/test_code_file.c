/* Functions at addresses of this program, of the C library and of the kernel's code. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"
#include "symbols/symbols.h"

enum { MOST = 8 };

/* inlined.cpp calls this within a function that is inlined into others. */
void note_call(const void *returns_to, int line);
void call_all(void);

static const char *s_addresses[MOST];
static size_t s_count;
static int s_line;

void note_call(const void *returns_to, int line)
{
    assert_true(s_count < MOST);
    s_addresses[s_count++] = (const char *)returns_to - 1;
    s_line = line;
}

static uint64_t address_in_file(const char *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    assert_true(dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP));
    return (uint64_t)((uintptr_t)address - map->l_addr);
}

static struct stint_arena s_arena;

static struct stint_code_file *open_code(const char *path, enum stint_symbols_detail detail)
{
    enum stint_code_state how;
    struct stint_code_file *code = stint_code_file_open(path, "", detail, &how);
    assert_int_equal(how, STINT_CODE_FOUND);
    return code;
}

/* Returns how many were found. */
static size_t find_at(const char *path, enum stint_symbols_detail detail, const void *address,
                      struct stint_symbol found[MOST])
{
    struct stint_code_file *code = open_code(path, detail);
    memset(found, 0, MOST * sizeof *found);
    size_t count = stint_code_file_find(code, address_in_file(address), &s_arena, found, MOST);
    stint_code_file_close(code);
    return count;
}

TEST(names_are_found_without_what_takes_long_to_read)
{
    struct stint_symbol found[MOST];
    s_count = 0;
    call_all();
    assert_int_equal(find_at("/proc/self/exe", STINT_SYMBOLS_NAMES, s_addresses[0], found), 1);
    assert_non_null(strstr(found[0].function, "in_namespace"));
    assert_int_equal(found[0].kind, STINT_SYMBOL_NAMED);
    assert_null(found[0].file);
#ifdef STINT_HAS_LIBDW
    assert_int_equal(find_at("/proc/self/exe", STINT_SYMBOLS_INLINED_IF_CHEAP, s_addresses[0], found), 2);
    assert_non_null(strstr(found[0].function, "inlined"));
    assert_null(found[0].file);
#endif
    stint_arena_free(&s_arena);
}

TEST(function_of_a_library_has_the_name_that_programs_call)
{
    struct stint_symbol found[MOST];
    const char *address = dlsym(RTLD_NEXT, "qsort_r");
    Dl_info info;
    assert_true(dladdr(address, &info));
    assert_int_equal(find_at(info.dli_fname, STINT_SYMBOLS_NAMES, address + 4, found), 1);
    assert_string_equal(found[0].function + strspn(found[0].function, "_"), "qsort_r");
    stint_arena_free(&s_arena);
}

TEST(code_of_the_kernel_has_names)
{
    void *library = dlopen(STINT_VDSO, RTLD_LAZY | RTLD_NOLOAD);
    const char *address = library ? dlsym(library, "__vdso_clock_gettime") : NULL;
    struct stint_symbol found[MOST];
    if (library && !address)
        address = dlsym(library, "__kernel_clock_gettime");
    if (!address)
        skip();
    assert_int_equal(find_at(STINT_VDSO, STINT_SYMBOLS_NAMES, address + 1, found), 1);
    assert_non_null(strstr(found[0].function, "clock_gettime"));
    (void)dlclose(library);
    stint_arena_free(&s_arena);
}

TEST(file_of_another_build_has_no_names)
{
    enum stint_code_state how;
    assert_null(stint_code_file_open("/proc/self/exe", "00", STINT_SYMBOLS_NAMES, &how));
    assert_int_equal(how, STINT_CODE_DIFFERENT);
    assert_null(stint_code_file_open("/proc/self/maps", "", STINT_SYMBOLS_NAMES, &how));
    assert_int_equal(how, STINT_CODE_MISSING);
}

TEST(what_is_inlined_is_found_wherever_the_function_around_it_stands)
{
    static const char *const around[] = {"in_namespace", "in_nameless", "in_class", "in_function", "operator()"};
#ifndef STINT_HAS_LIBDW
    skip();
#endif
    struct stint_arena arena = {0};
    struct stint_code_file *code = open_code("/proc/self/exe", STINT_SYMBOLS_LINES);
    s_count = 0;
    call_all();
    assert_int_equal(s_count, TEST_COUNT(around));
    for (size_t i = 0; i < s_count; i++) {
        struct stint_symbol found[MOST] = {{0}};
        assert_int_equal(stint_code_file_find(code, address_in_file(s_addresses[i]), &arena, found, MOST), 2);
        assert_non_null(strstr(found[0].function, "inlined"));
        assert_non_null(strstr(found[1].function, around[i]));
        assert_non_null(strstr(found[0].file, "symbols/inlined.cpp"));
        assert_non_null(strstr(found[1].file, "symbols/inlined.cpp"));
        assert_int_equal(found[0].line, s_line);
        assert_true(found[1].line > s_line);
    }
    assert_int_equal(stint_code_file_find(code, 1, &arena, &(struct stint_symbol){0}, 1), 0);
    stint_code_file_close(code);
    stint_arena_free(&arena);
}
