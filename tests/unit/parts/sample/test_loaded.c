/* Loaded modules: src/parts/sample/loaded.c. Copies of a library are loaded whose tables of frames are damaged. */
#include "sample/walk.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

static char *s_file; /* of a library */
static size_t s_size;
static int s_waits;

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    s_waits++;
    return 0;
}

/* Reads the file that a function is in. */
static int start(void **state)
{
    void *function = dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests");
    struct stat found;
    Dl_info in;
    FILE *file = function && dladdr(function, &in) ? fopen(in.dli_fname, "rb") : NULL;
    if (!file || fstat(fileno(file), &found))
        return -1;
    s_size = (size_t)found.st_size;
    s_file = malloc(s_size);
    int failed = !s_file || fread(s_file, 1, s_size, file) != s_size;
    fclose(file);
    return failed ? -1 : 0;
}

static int end(void **state)
{
    free(s_file);
    return 0;
}

static ElfW(Phdr) * find_frames(char *file)
{
    ElfW(Phdr) *part = (void *)(file + ((const ElfW(Ehdr) *)(void *)file)->e_phoff);

    while (part->p_type != PT_GNU_EH_FRAME)
        part++;
    return part;
}

/* Loads a library of these bytes. */
static void *load(const char *bytes)
{
    char path[] = "/tmp/stint-loaded-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, s_size), s_size);
    close(file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    unlink(path);
    assert_non_null(library);
    return library;
}

/* Returns how many functions' frames are known of a library that has a word changed: that at `offset` in its table of
 * frames, or, if `where` is not 0, where the file says that the table is. */
static size_t frames_with(size_t offset, uint32_t word, uint64_t where)
{
    char *bytes = malloc(s_size);
    unsigned turn;
    assert_non_null(bytes);
    memcpy(bytes, s_file, s_size);
    ElfW(Phdr) *part = find_frames(bytes);
    if (where)
        part->p_vaddr += where;
    else if (offset)
        memcpy(bytes + part->p_offset + offset, &word, sizeof word);
    void *library = load(bytes);
    free(bytes);
    stint_loaded_refresh();
    const struct stint_loaded *module =
        stint_loaded_find(stint_loaded_enter(&turn), (uintptr_t)dlsym(library, "_cmocka_run_group_tests"));
    assert_non_null(module);
    size_t count = module->cfi.count;
    stint_loaded_leave(turn);
    dlclose(library);
    return count;
}

TEST_ONCE(start, end)

TEST(without_memory_for_the_set_nothing_is_loaded)
{
    assert_null(stint_loaded_find(NULL, 4096));
    assert_string_equal(stint_loaded_module(STINT_LOADED_NOWHERE)->path, "");
}

TEST(damaged_tables_are_not_used)
{
    enum { FRAMES = 4, COUNT = 8, FIRST_ENTRY = 16 };

    assert_true(frames_with(0, 0, 0) > 10);
    assert_int_equal(frames_with(COUNT, 0x0FFFFFFF, 0), 0);
    assert_int_equal(frames_with(COUNT, 0, 0), 0);
    assert_int_equal(frames_with(FRAMES, 0x7FFFFFF0, 0), 0);
    assert_int_equal(frames_with(FRAMES, 0x80000000, 0), 0);
    assert_int_equal(frames_with(FIRST_ENTRY, 0x7FFFFFF0, 0), 0);
    assert_int_equal(frames_with(0, 0, 0x40000000), 0);
}

TEST(frames_are_copied_of_what_dlopen_loaded)
{
    unsigned turn;
    void *library = load(s_file);
    stint_loaded_refresh();
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    const struct stint_loaded *stays = stint_loaded_find(set, (uintptr_t)&frames_with);
    const struct stint_loaded *may_go = stint_loaded_find(set, (uintptr_t)dlsym(library, "_cmocka_run_group_tests"));
    assert_true(stays && stays->cfi.count && may_go && may_go->cfi.count);
    assert_int_equal((uintptr_t)stays->cfi.frames.bytes, stays->cfi.frames.address);
    assert_null(stays->memory);
    assert_int_not_equal((uintptr_t)may_go->cfi.frames.bytes, may_go->cfi.frames.address);
    assert_non_null(may_go->memory);
    stint_loaded_leave(turn);
    dlclose(library);
}

/* A handler of which nobody knows when it goes on. */
TEST(set_is_kept_while_a_handler_is_lost)
{
    unsigned lost, turn;
    (void)stint_loaded_enter(&lost);
    (void)frames_with(0, 0, 0);
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    stint_loaded_leave(turn); /* the lost one may have got it, too */
    size_t count = set->count;
    s_waits = 0;
    (void)frames_with(0, 0, 0);
    assert_true(s_waits > 100);
    assert_int_equal(set->count, count); /* not freed */
    stint_loaded_leave(lost);
    s_waits = 0;
    (void)frames_with(0, 0, 0);
    assert_int_equal(s_waits, 0);
}

/* Copies of the same library are at the same address one after the other; nobody has looked for modules in between. */
TEST(module_is_not_taken_for_one_that_was_where_it_is)
{
    unsigned turn;
    void *first = load(s_file);
    const uint64_t place = (uintptr_t)dlsym(first, "_cmocka_run_group_tests");
    stint_loaded_refresh();
    const struct stint_loaded *module = stint_loaded_find(stint_loaded_enter(&turn), place);
    assert_non_null(module);
    assert_true(stint_loaded_is_there(module, place));
    dlclose(first);
    assert_false(stint_loaded_is_there(module, place));
    void *second = load(s_file);
    if ((uintptr_t)dlsym(second, "_cmocka_run_group_tests") == place)
        assert_false(stint_loaded_is_there(module, place));
    stint_loaded_leave(turn);
    stint_loaded_refresh();
    module = stint_loaded_find(stint_loaded_enter(&turn), (uintptr_t)dlsym(second, "_cmocka_run_group_tests"));
    assert_true(module && stint_loaded_is_there(module, (uintptr_t)dlsym(second, "_cmocka_run_group_tests")));
    stint_loaded_leave(turn);
    dlclose(second);
}

/* A path that is relative is so to where the process was. */
TEST(paths_are_absolute)
{
    char folder[] = "/tmp/stint-loaded-XXXXXX", before[PATH_MAX], expected[PATH_MAX];
    unsigned turn;
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    int file = open("library.so", O_CREAT | O_WRONLY, 0700);
    assert_int_equal(write(file, s_file, s_size), s_size);
    close(file);
    void *library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    assert_int_equal(chdir(before), 0);
    stint_loaded_refresh();
    const struct stint_loaded *module =
        stint_loaded_find(stint_loaded_enter(&turn), (uintptr_t)dlsym(library, "_cmocka_run_group_tests"));
    assert_non_null(module);
    assert_true(snprintf(expected, sizeof expected, "%s/library.so", folder) > 0);
    assert_string_equal(stint_loaded_module(module->module)->path, expected);
    stint_loaded_leave(turn);
    dlclose(library);
    assert_int_equal(remove(expected), 0);
    assert_int_equal(rmdir(folder), 0);
}
