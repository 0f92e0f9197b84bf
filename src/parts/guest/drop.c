/* Calls after which a process cannot reach files by the names that they had: it has another root folder, or is another
 * user. The file of the report and the folder of the recording are opened before. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "base/whole_file.h"
#include "guest/guest.h"
#include "runtime/runtime.h"
#include "stint/detail/api.h"

/* ------------------------------------------------------------------------------------------------------------ files */

static struct {
    char path[PATH_MAX];
    struct stint_kept_fd file;
} s_spare;

/* Another file may have taken its name. A filter of system calls may forbid to look. */
static int is_there(void)
{
    struct stat status;
    return s_spare.path[0] && !stint_process_is_confined() && stint_fd_is_kept(&s_spare.file, &status) &&
           status.st_nlink;
}

static int lend(const char *path)
{
    if (!is_there() || strncmp(path, s_spare.path, strlen(s_spare.path)) != 0 || ftruncate(s_spare.file.fd, 0) ||
        lseek(s_spare.file.fd, 0, SEEK_SET))
        return -1;
    return s_spare.file.fd;
}

static void open_spare(const char *path)
{
    if (!*path || (strcmp(path, s_spare.path) == 0 && is_there()))
        return;
    s_spare.path[0] = '\0';
    s_spare.file = stint_fd_keep(open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (s_spare.file.fd >= 0)
        strcpy(s_spare.path, path);
}

void stint_guest_drops(uid_t owner)
{
    static int s_busy;
    char path[PATH_MAX] = "";
    struct stint_drop_offer offer = {owner == (uid_t)-1 ? geteuid() : owner, lend, path, sizeof path};
    int error = errno;
    if (stint_process_is_confined() || __atomic_exchange_n(&s_busy, 1, __ATOMIC_ACQUIRE))
        return;
    (void)stint_inject_used()->prepare("recording", &offer);
    open_spare(path);
    __atomic_store_n(&s_busy, 0, __ATOMIC_RELEASE);
    errno = error;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static struct {
    int (*chroot)(const char *path);
    int (*setuid)(uid_t user);
    int (*seteuid)(uid_t user);
    int (*setreuid)(uid_t real, uid_t user);
    int (*setresuid)(uid_t real, uid_t user, uid_t saved);
    int (*setgid)(gid_t group);
    int (*setegid)(gid_t group);
    int (*setregid)(gid_t real, gid_t group);
    int (*setresgid)(gid_t real, gid_t group, gid_t saved);
    int (*setgroups)(size_t count, const gid_t *groups);
} s_calls;

/* Some are called in a child of fork, where the dynamic linker must not be used. */
__attribute__((constructor(101))) static void find(void)
{
#define FIND(name)                                                                                                     \
    do {                                                                                                               \
        void *found = dlsym(RTLD_NEXT, #name);                                                                         \
        memcpy(&s_calls.name, &found, sizeof found);                                                                   \
    } while (0)
    FIND(chroot);
    FIND(setuid);
    FIND(seteuid);
    FIND(setreuid);
    FIND(setresuid);
    FIND(setgid);
    FIND(setegid);
    FIND(setregid);
    FIND(setresgid);
    FIND(setgroups);
#undef FIND
}

/* Another library's constructor may call these functions before this one's has run. */
static void prepare(uid_t owner)
{
    if (!s_calls.chroot)
        find();
    stint_guest_drops(owner);
}

static int end(int result)
{
    (void)stint_guest_rest(1);
    return result;
}

/* The C library makes calls that change the user in each thread, and ends the process if they differ in what they may
 * do: a program gives up capabilities in its own. A thread that did not rest might make a file after the others have a
 * new owner, or one that had not begun, under another root folder. */
static void begin(uid_t owner)
{
    if (!stint_process_is_confined())
        (void)stint_guest_rest(0);
    prepare(owner);
}

STINT_API int chroot(const char *path)
{
    begin((uid_t)-1);
    return end(s_calls.chroot(path));
}

STINT_API int setuid(uid_t user)
{
    begin(user);
    return end(s_calls.setuid(user));
}

STINT_API int seteuid(uid_t user)
{
    begin(user);
    return end(s_calls.seteuid(user));
}

STINT_API int setreuid(uid_t real, uid_t user)
{
    begin(user);
    return end(s_calls.setreuid(real, user));
}

STINT_API int setresuid(uid_t real, uid_t user, uid_t saved)
{
    begin(user);
    return end(s_calls.setresuid(real, user, saved));
}

STINT_API int setgid(gid_t group)
{
    begin((uid_t)-1);
    return end(s_calls.setgid(group));
}

STINT_API int setegid(gid_t group)
{
    begin((uid_t)-1);
    return end(s_calls.setegid(group));
}

STINT_API int setregid(gid_t real, gid_t group)
{
    begin((uid_t)-1);
    return end(s_calls.setregid(real, group));
}

STINT_API int setresgid(gid_t real, gid_t group, gid_t saved)
{
    begin((uid_t)-1);
    return end(s_calls.setresgid(real, group, saved));
}

STINT_API int setgroups(size_t count, const gid_t *groups)
{
    begin((uid_t)-1);
    return end(s_calls.setgroups(count, groups));
}
