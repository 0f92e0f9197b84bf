/* What keeps stint out of a program, or shows more of it: read from the file that the kernel would execute, its own or
 * its interpreter. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/probe.h"
#include "support/elf.h"

#if defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_X86_64
#endif

/* ------------------------------------------------------------------------------------------------------------- file */

/* Fills `path` as a shell would find the program. */
static int find_program(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        (void)snprintf(path, size, "%s", name);
        return access(path, F_OK);
    }
    for (const char *at = folders; at && *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        (void)snprintf(path, size, "%.*s%s%s", (int)length, at, length ? "/" : "", name);
        if (access(path, X_OK) == 0)
            return 0;
        at += length;
    }
    errno = ENOENT;
    return -1;
}

/* As the kernel reads the first line of a script. Returns whether the file is one. */
static int read_interpreter(int file, char *out, size_t size)
{
    char line[256], *begin = line + 2;
    ssize_t length = pread(file, line, sizeof line - 1, 0);
    if (length < 2 || memcmp(line, "#!", 2) != 0)
        return 0;
    line[length] = '\0';
    begin += strspn(begin, " \t");
    begin[strcspn(begin, " \t\n")] = '\0';
    (void)snprintf(out, size, "%s", begin);
    return 1;
}

/* -------------------------------------------------------------------------------------------------------------- ELF */

/* As the kernel takes it: programs with other headers do not run. */
static int is_complete(const Elf64_Ehdr *header)
{
    return header->e_phentsize == sizeof(Elf64_Phdr) && header->e_phnum <= 65536 / sizeof(Elf64_Phdr);
}

/* Writes the name of the program's dynamic linker. Returns 1; 0 if it needs none; or -1 if the file is damaged. */
static int read_linker(int file, const Elf64_Ehdr *header, char *out, size_t size)
{
    Elf64_Phdr part;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (pread(file, &part, sizeof part, (off_t)(header->e_phoff + i * sizeof part)) != (ssize_t)sizeof part)
            return -1;
        if (part.p_type != PT_INTERP)
            continue;
        if (part.p_filesz < 2 || part.p_filesz > size ||
            pread(file, out, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz)
            return -1;
        out[part.p_filesz - 1] = '\0';
        return 1;
    }
    return 0;
}

static void judge(struct stint_obstacle *obstacle, int file)
{
    Elf64_Ehdr header;
    char linker[PATH_MAX];
    if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != OWN_MACHINE) {
        obstacle->what = "is for another architecture, so it cannot load stint's libraries";
        obstacle->remedy = "build it for this machine, as a 64-bit program";
        return;
    }
    int found = is_complete(&header) ? read_linker(file, &header, linker, sizeof linker) : -1;
    if (found == 0) {
        obstacle->what = "is linked statically, so nothing can be loaded into it";
        obstacle->remedy = "link it dynamically, or with stint::stint_static and its macros";
    } else if (found > 0 && strstr(linker, "/ld-musl-")) {
        obstacle->what = "is linked with musl, but stint's libraries need the GNU C library";
        obstacle->remedy = "link it with the GNU C library";
        obstacle->is_fatal = 1;
    }
}

/* Whether a string is among those that the dynamic linker reads. */
static int has_dynamic_name(const struct stint_elf *elf, const char *name)
{
    struct stint_elf_section names;
    return stint_elf_find_section(elf, ".dynstr", &names) == 0 &&
           memmem(names.bytes, names.size, name, strlen(name) + 1) != NULL;
}

/* AddressSanitizer ends a program when a library is in front of its own, unless it is told that this is intended. stint
 * run does so, but what the user has set counts more. */
static int is_ended_by_sanitizer(const struct stint_elf *elf)
{
    const char *options = getenv("ASAN_OPTIONS");
    return options && strstr(options, "verify_asan_link_order=1") && has_dynamic_name(elf, "__asan_init");
}

static void judge_kind(struct stint_obstacle *obstacle, const struct stint_elf *elf)
{
    const char *slash = strrchr(obstacle->path, '/'), *name = slash ? slash + 1 : obstacle->path;
    struct stint_elf_section section;
    if (stint_elf_find_section(elf, ".go.buildinfo", &section) == 0 && obstacle->what)
        obstacle->remedy = "it is written in Go: build it with -ldflags=-linkmode=external, or use runtime/pprof";
    else if (is_ended_by_sanitizer(elf)) {
        obstacle->what = "was built with AddressSanitizer, which accepts no preloaded library because of "
                         "verify_asan_link_order=1 in ASAN_OPTIONS";
        obstacle->remedy = "set that to 0";
    } else if (has_dynamic_name(elf, "__cyg_profile_func_enter"))
        obstacle->advice = "it was compiled with -finstrument-functions: --functions '*' records every call";
    else if (strcmp(name, "node") == 0 || strcmp(name, "nodejs") == 0)
        obstacle->advice = "functions of JavaScript have names with: node --perf-basic-prof";
    else if (strcmp(name, "java") == 0)
        obstacle->advice = "functions of Java have names with: java -XX:+UnlockDiagnosticVMOptions "
                           "-XX:+DumpPerfMapAtExit";
}

/* Finds out what kind of program it is, by what its file contains. */
static void read_kind(struct stint_obstacle *obstacle, int file)
{
    struct stat status;
    struct stint_elf elf;
    if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0)
        return;
    size_t size = (size_t)status.st_size;
    void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (image == MAP_FAILED)
        return;
    if (stint_elf_open(&elf, image, size) == 0)
        judge_kind(obstacle, &elf);
    (void)munmap(image, size);
}

static int is_raised(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && (((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
                                         ((status.st_mode & S_ISGID) && status.st_gid != getegid()));
}

int stint_obstacle_find(struct stint_obstacle *obstacle, const char *program)
{
    enum { SCRIPTS = 5 }; /* that the kernel follows */
    int file, is_script;
    *obstacle = (struct stint_obstacle){.what = NULL};
    if (find_program(program, obstacle->path, sizeof obstacle->path))
        return -1;
    for (int i = 0; i <= SCRIPTS; i++) {
        if ((file = open(obstacle->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0)
            return 0;
        is_script = read_interpreter(file, obstacle->path, sizeof obstacle->path);
        obstacle->is_script |= is_script;
        if (!is_script) {
            judge(obstacle, file);
            read_kind(obstacle, file);
        }
        if (!is_script && !obstacle->what && is_raised(file)) {
            obstacle->what = "runs with raised privileges, so the dynamic linker ignores LD_PRELOAD";
            obstacle->remedy = "run it as the user that it switches to";
        }
        (void)close(file);
        if (!is_script)
            return 0;
    }
    return 0;
}
