/* What is read of programs that stint cannot be loaded into: files that are just headers, and damaged ones. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/probe.h"
#include "stint_test.h"
#include "store/scratch.h"

#if defined(__aarch64__)
#define MACHINE EM_AARCH64
#define OTHER EM_X86_64
#else
#define MACHINE EM_X86_64
#define OTHER EM_AARCH64
#endif

struct program {
    Elf64_Ehdr header;
    Elf64_Phdr parts[2];
    char linker[64];
};

static struct program made(const char *linker)
{
    struct program made = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                                      .e_type = ET_EXEC,
                                      .e_machine = MACHINE,
                                      .e_phoff = offsetof(struct program, parts),
                                      .e_phentsize = sizeof(Elf64_Phdr),
                                      .e_phnum = 2},
                           .parts = {{.p_type = PT_LOAD},
                                     {.p_type = linker ? PT_INTERP : PT_NOTE,
                                      .p_offset = offsetof(struct program, linker),
                                      .p_filesz = linker ? strlen(linker) + 1 : 0}}};
    (void)snprintf(made.linker, sizeof made.linker, "%s", linker ? linker : "");
    return made;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(name, 0755), 0);
}

/* Checks what is said of a program of which a file has so many bytes. */
static void check(const struct program *program, size_t size, const char *expected, int is_fatal)
{
    struct stint_obstacle obstacle;
    write_file("program", program, size);
    assert_int_equal(stint_obstacle_find(&obstacle, "./program"), 0);
    assert_string_equal(obstacle.path, "./program");
    assert_int_equal(obstacle.is_fatal, is_fatal);
    if (expected) {
        assert_non_null(obstacle.what);
        assert_non_null(strstr(obstacle.what, expected));
        assert_non_null(obstacle.remedy);
    } else {
        assert_null(obstacle.what);
    }
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(the_cause_is_read_from_the_headers)
{
    struct program program = made("/lib64/ld-linux-x86-64.so.2");
    check(&program, sizeof program, NULL, 0);
    program = made(NULL);
    check(&program, sizeof program, "is linked statically", 0);
    program = made("/lib/ld-musl-x86_64.so.1");
    check(&program, sizeof program, "is linked with musl", 1);
    program.header.e_machine = OTHER;
    check(&program, sizeof program, "another architecture", 0);
    program.header.e_machine = MACHINE;
    program.header.e_ident[EI_CLASS] = ELFCLASS32;
    check(&program, sizeof program, "another architecture", 0);
}

TEST(nothing_is_said_of_damaged_files)
{
    struct program program = made("/lib/ld-musl-x86_64.so.1");
    for (size_t size = 0; size < offsetof(struct program, linker) + program.parts[1].p_filesz; size++)
        check(&program, size, NULL, 0);
    program.header.e_phoff = UINT64_MAX - 60;
    check(&program, sizeof program, NULL, 0);
    program = made("/lib/ld-musl-x86_64.so.1");
    program.header.e_phnum = UINT16_MAX;
    check(&program, sizeof program, NULL, 0);
    program.header.e_phnum = 2;
    program.header.e_phentsize = 1;
    check(&program, sizeof program, NULL, 0);
    for (int i = 0; i < 3; i++) {
        program = made("/lib/ld-musl-x86_64.so.1");
        program.parts[1].p_filesz = (uint64_t[]){UINT64_MAX, 0, 1}[i];
        check(&program, sizeof program, NULL, 0);
    }
    program = made("/lib/ld-musl-x86_64.so.1");
    program.parts[1].p_offset = UINT64_MAX;
    check(&program, sizeof program, NULL, 0);
    program = made("/lib/ld-musl-x86_64.so.1");
    program.parts[1].p_filesz = 5; /* is not followed by a NUL */
    check(&program, sizeof program, NULL, 0);
}

/* This program refers to the function, as a compiled one would. */
void __cyg_profile_func_enter(void *function, void *site) __attribute__((weak));

TEST(kind_of_a_program_is_told_by_what_it_contains)
{
    struct stint_obstacle obstacle;
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0 && __cyg_profile_func_enter);
    self[length] = '\0';
    assert_int_equal(stint_obstacle_find(&obstacle, self), 0);
    assert_non_null(strstr(obstacle.advice, "--functions '*'"));
    assert_int_equal(system("cp /bin/true node"), 0);
    assert_int_equal(stint_obstacle_find(&obstacle, "./node"), 0);
    assert_non_null(strstr(obstacle.advice, "--perf-basic-prof"));
    assert_int_equal(stint_obstacle_find(&obstacle, "/bin/true"), 0);
    assert_null(obstacle.advice);
}

TEST(of_a_script_the_interpreter_counts)
{
    static const char script[] = "#! \t./program -x\nexit\n", second[] = "#!./script", endless[] = "#!endless\n";
    struct program program = made(NULL);
    struct stint_obstacle obstacle;
    write_file("program", &program, sizeof program);
    write_file("script", script, sizeof script - 1);
    write_file("second", second, sizeof second - 1);
    write_file("endless", endless, sizeof endless - 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stint_obstacle_find(&obstacle, i ? "./second" : "./script"), 0);
        assert_string_equal(obstacle.path, "./program");
        assert_true(obstacle.is_script);
        assert_non_null(strstr(obstacle.what, "statically"));
    }
    assert_int_equal(stint_obstacle_find(&obstacle, "./endless"), 0);
    assert_null(obstacle.what);
}

TEST(programs_are_found_as_a_shell_does)
{
    struct stint_obstacle obstacle;
    struct program program = made(NULL);
    char path[4096];
    write_file("mine", &program, sizeof program);
    (void)snprintf(path, sizeof path, "/nowhere:.:%s", getenv("PATH"));
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(stint_obstacle_find(&obstacle, "mine"), 0);
    assert_string_equal(obstacle.path, "./mine");
    assert_int_equal(stint_obstacle_find(&obstacle, "no-such-program"), -1);
    assert_int_equal(stint_obstacle_find(&obstacle, "./not-mine"), -1);
}
