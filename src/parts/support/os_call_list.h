/* The wrapped functions of the C library: those in which a thread may wait for another one, for a device, or for the
 * kernel. These are, with few exceptions, the functions that `nsys profile --trace osrt` records.
 *
 *   PLAIN(result, name, shown, parameters, arguments)   the call is recorded as `shown`
 *   LOCK(name, try, parameters, arguments)              is recorded if `try`, with the same arguments, finds it locked
 *   OTHER(name)                                         is written by hand, or only looked up */
#ifndef STINT_SUPPORT_OS_CALL_LIST_H
#define STINT_SUPPORT_OS_CALL_LIST_H

#define STINT_OS_CALLS(PLAIN, LOCK, OTHER)                                                                             \
    STINT_OS_LIMITED_CALLS(PLAIN)                                                                                      \
    STINT_OS_MASKED_CALLS(PLAIN)                                                                                       \
    STINT_OS_CONNECT_CALLS(PLAIN)                                                                                      \
    STINT_OS_RECEIVE_CALLS(PLAIN)                                                                                      \
    STINT_OS_TRANSFER_CALLS(PLAIN)                                                                                     \
    STINT_OS_GATHER_CALLS(PLAIN)                                                                                       \
    STINT_OS_FILE_CALLS(PLAIN, OTHER)                                                                                  \
    STINT_OS_STREAM_CALLS(PLAIN)                                                                                       \
    STINT_OS_SOCKET_CALLS(PLAIN)                                                                                       \
    STINT_OS_PROCESS_CALLS(PLAIN, OTHER)                                                                               \
    STINT_OS_MEMORY_CALLS(PLAIN)                                                                                       \
    STINT_OS_THREAD_CALLS(PLAIN, LOCK, OTHER)

/* Those that a handler of a signal ends, whatever its flags (signal(7)): the next six lists.
 *
 * Whenever they wait. */
#define STINT_OS_LIMITED_CALLS(PLAIN)                                                                                  \
    PLAIN(int, poll, poll, (struct pollfd * files, nfds_t count, int limit_ms), (files, count, limit_ms))              \
    PLAIN(int, __poll_chk, poll, (struct pollfd * files, nfds_t count, int limit_ms, size_t room),                     \
          (files, count, limit_ms, room))                                                                              \
    PLAIN(int, select, select, (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *limit),             \
          (count, in, out, other, limit))                                                                              \
    PLAIN(int, epoll_wait, epoll_wait, (int file, struct epoll_event *events, int count, int limit_ms),                \
          (file, events, count, limit_ms))                                                                             \
    PLAIN(unsigned, sleep, sleep, (unsigned seconds), (seconds))                                                       \
    PLAIN(int, usleep, usleep, (useconds_t time_us), (time_us))                                                        \
    PLAIN(int, nanosleep, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))               \
    PLAIN(int, clock_nanosleep, clock_nanosleep,                                                                       \
          (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),                            \
          (clock, flags, time, left))                                                                                  \
    PLAIN(int, thrd_sleep, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left))             \
    PLAIN(ssize_t, msgrcv, msgrcv, (int queue, void *to, size_t size, long type, int flags),                           \
          (queue, to, size, type, flags))                                                                              \
    PLAIN(int, msgsnd, msgsnd, (int queue, const void *from, size_t size, int flags), (queue, from, size, flags))      \
    PLAIN(int, semop, semop, (int set, struct sembuf *operations, size_t count), (set, operations, count))             \
    PLAIN(int, semtimedop, semtimedop,                                                                                 \
          (int set, struct sembuf *operations, size_t count, const struct timespec *limit),                            \
          (set, operations, count, limit))                                                                             \
    PLAIN(int, sem_timedwait, sem_timedwait, (sem_t * semaphore, const struct timespec *limit), (semaphore, limit))    \
    PLAIN(int, sem_clockwait, sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *limit),       \
          (semaphore, clock, limit))                                                                                   \
    PLAIN(int, aio_suspend, aio_suspend,                                                                               \
          (const struct aiocb *const *requests, int count, const struct timespec *limit), (requests, count, limit))    \
    PLAIN(int, aio_suspend64, aio_suspend,                                                                             \
          (const struct aiocb64 *const *requests, int count, const struct timespec *limit), (requests, count, limit))  \
    PLAIN(int, lio_listio, lio_listio, (int mode, struct aiocb *const *requests, int count, struct sigevent *event),   \
          (mode, requests, count, event))                                                                              \
    PLAIN(int, lio_listio64, lio_listio,                                                                               \
          (int mode, struct aiocb64 *const *requests, int count, struct sigevent *event),                              \
          (mode, requests, count, event))                                                                              \
    PLAIN(int, gai_suspend, gai_suspend,                                                                               \
          (const struct gaicb *const *requests, int count, const struct timespec *limit), (requests, count, limit))    \
    PLAIN(int, __xpg_sigpause, sigpause, (int number), (number))                                                       \
    PLAIN(int, pause, pause, (void), ())

/* The same, with a mask of signals for the time of the call. */
#define STINT_OS_MASKED_CALLS(PLAIN)                                                                                   \
    PLAIN(int, ppoll, ppoll,                                                                                           \
          (struct pollfd * files, nfds_t count, const struct timespec *limit, const sigset_t *mask),                   \
          (files, count, limit, mask))                                                                                 \
    PLAIN(int, __ppoll_chk, ppoll,                                                                                     \
          (struct pollfd * files, nfds_t count, const struct timespec *limit, const sigset_t *mask, size_t room),      \
          (files, count, limit, mask, room))                                                                           \
    PLAIN(int, pselect, pselect,                                                                                       \
          (int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *limit, const sigset_t *mask),     \
          (count, in, out, other, limit, mask))                                                                        \
    PLAIN(int, epoll_pwait, epoll_pwait,                                                                               \
          (int file, struct epoll_event *events, int count, int limit_ms, const sigset_t *mask),                       \
          (file, events, count, limit_ms, mask))                                                                       \
    PLAIN(int, epoll_pwait2, epoll_pwait2,                                                                             \
          (int file, struct epoll_event *events, int count, const struct timespec *limit, const sigset_t *mask),       \
          (file, events, count, limit, mask))                                                                          \
    PLAIN(int, sigsuspend, sigsuspend, (const sigset_t *mask), (mask))

/* If the socket has a limit of time. */
#define STINT_OS_CONNECT_CALLS(PLAIN)                                                                                  \
    PLAIN(int, accept, accept, (int file, struct sockaddr *address, socklen_t *size), (file, address, size))           \
    PLAIN(int, accept4, accept4, (int file, struct sockaddr *address, socklen_t *size, int flags),                     \
          (file, address, size, flags))                                                                                \
    PLAIN(int, connect, connect, (int file, const struct sockaddr *address, socklen_t size), (file, address, size))

/* If the socket has a limit of time, or if `flags` ask for all. */
#define STINT_OS_RECEIVE_CALLS(PLAIN)                                                                                  \
    PLAIN(ssize_t, recv, recv, (int file, void *to, size_t size, int flags), (file, to, size, flags))                  \
    PLAIN(ssize_t, __recv_chk, recv, (int file, void *to, size_t size, size_t room, int flags),                        \
          (file, to, size, room, flags))                                                                               \
    PLAIN(ssize_t, recvfrom, recvfrom,                                                                                 \
          (int file, void *to, size_t size, int flags, struct sockaddr *address, socklen_t *length),                   \
          (file, to, size, flags, address, length))                                                                    \
    PLAIN(ssize_t, __recvfrom_chk, recvfrom,                                                                           \
          (int file, void *to, size_t size, size_t room, int flags, struct sockaddr *address, socklen_t *length),      \
          (file, to, size, room, flags, address, length))                                                              \
    PLAIN(ssize_t, recvmsg, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags))            \
    PLAIN(int, recvmmsg, recvmmsg,                                                                                     \
          (int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *limit),                     \
          (file, messages, count, flags, limit))

/* If a part was transferred: more than a pipe takes at once. */
#define STINT_OS_TRANSFER_CALLS(PLAIN)                                                                                 \
    PLAIN(ssize_t, read, read, (int file, void *to, size_t size), (file, to, size))                                    \
    PLAIN(ssize_t, __read_chk, read, (int file, void *to, size_t size, size_t room), (file, to, size, room))           \
    PLAIN(ssize_t, pread, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at))                    \
    PLAIN(ssize_t, __pread_chk, pread, (int file, void *to, size_t size, off_t at, size_t room),                       \
          (file, to, size, at, room))                                                                                  \
    PLAIN(ssize_t, pread64, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at))              \
    PLAIN(ssize_t, __pread64_chk, pread64, (int file, void *to, size_t size, off64_t at, size_t room),                 \
          (file, to, size, at, room))                                                                                  \
    PLAIN(ssize_t, write, write, (int file, const void *from, size_t size), (file, from, size))                        \
    PLAIN(ssize_t, send, send, (int file, const void *from, size_t size, int flags), (file, from, size, flags))        \
    PLAIN(ssize_t, sendto, sendto,                                                                                     \
          (int file, const void *from, size_t size, int flags, const struct sockaddr *address, socklen_t length),      \
          (file, from, size, flags, address, length))

/* If a part was transferred, of sizes that are not known here. */
#define STINT_OS_GATHER_CALLS(PLAIN)                                                                                   \
    PLAIN(ssize_t, readv, readv, (int file, const struct iovec *parts, int count), (file, parts, count))               \
    PLAIN(ssize_t, writev, writev, (int file, const struct iovec *parts, int count), (file, parts, count))             \
    PLAIN(ssize_t, sendmsg, sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags))      \
    PLAIN(int, sendmmsg, sendmmsg, (int file, struct mmsghdr *messages, unsigned count, int flags),                    \
          (file, messages, count, flags))                                                                              \
    PLAIN(ssize_t, sendfile, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size))               \
    PLAIN(ssize_t, sendfile64, sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size))         \
    PLAIN(ssize_t, splice, splice, (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),  \
          (from, from_at, to, to_at, size, flags))                                                                     \
    PLAIN(ssize_t, tee, tee, (int from, int to, size_t size, unsigned flags), (from, to, size, flags))                 \
    PLAIN(ssize_t, vmsplice, vmsplice, (int file, const struct iovec *parts, size_t count, unsigned flags),            \
          (file, parts, count, flags))

/* The names with _chk, and with 2 at the end, are what the plain ones become with _FORTIFY_SOURCE. */
#define STINT_OS_FILE_CALLS(PLAIN, OTHER)                                                                              \
    OTHER(open)                                                                                                        \
    OTHER(open64)                                                                                                      \
    OTHER(openat)                                                                                                      \
    OTHER(openat64)                                                                                                    \
    OTHER(fcntl)                                                                                                       \
    OTHER(fcntl64)                                                                                                     \
    OTHER(ioctl)                                                                                                       \
    PLAIN(int, __open_2, open, (const char *path, int flags), (path, flags))                                           \
    PLAIN(int, __open64_2, open64, (const char *path, int flags), (path, flags))                                       \
    PLAIN(int, __openat_2, openat, (int folder, const char *path, int flags), (folder, path, flags))                   \
    PLAIN(int, __openat64_2, openat64, (int folder, const char *path, int flags), (folder, path, flags))               \
    PLAIN(int, creat, creat, (const char *path, mode_t mode), (path, mode))                                            \
    PLAIN(int, creat64, creat64, (const char *path, mode_t mode), (path, mode))                                        \
    PLAIN(int, close, close, (int file), (file))                                                                       \
    PLAIN(ssize_t, preadv, preadv, (int file, const struct iovec *parts, int count, off_t at),                         \
          (file, parts, count, at))                                                                                    \
    PLAIN(ssize_t, preadv64, preadv64, (int file, const struct iovec *parts, int count, off64_t at),                   \
          (file, parts, count, at))                                                                                    \
    PLAIN(ssize_t, pwrite, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))        \
    PLAIN(ssize_t, pwrite64, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))  \
    PLAIN(ssize_t, pwritev, pwritev, (int file, const struct iovec *parts, int count, off_t at),                       \
          (file, parts, count, at))                                                                                    \
    PLAIN(ssize_t, pwritev64, pwritev64, (int file, const struct iovec *parts, int count, off64_t at),                 \
          (file, parts, count, at))                                                                                    \
    PLAIN(ssize_t, copy_file_range, copy_file_range,                                                                   \
          (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),                           \
          (from, from_at, to, to_at, size, flags))                                                                     \
    PLAIN(int, fsync, fsync, (int file), (file))                                                                       \
    PLAIN(int, fdatasync, fdatasync, (int file), (file))                                                               \
    PLAIN(int, syncfs, syncfs, (int file), (file))                                                                     \
    PLAIN(int, sync_file_range, sync_file_range, (int file, off64_t at, off64_t size, unsigned flags),                 \
          (file, at, size, flags))                                                                                     \
    PLAIN(int, ftruncate, ftruncate, (int file, off_t size), (file, size))                                             \
    PLAIN(int, ftruncate64, ftruncate64, (int file, off64_t size), (file, size))                                       \
    PLAIN(int, fallocate, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size))               \
    PLAIN(int, fallocate64, fallocate64, (int file, int mode, off64_t at, off64_t size), (file, mode, at, size))       \
    PLAIN(int, posix_fallocate, posix_fallocate, (int file, off_t at, off_t size), (file, at, size))                   \
    PLAIN(int, posix_fallocate64, posix_fallocate64, (int file, off64_t at, off64_t size), (file, at, size))           \
    PLAIN(int, flock, flock, (int file, int operation), (file, operation))                                             \
    PLAIN(int, lockf, lockf, (int file, int command, off_t size), (file, command, size))                               \
    PLAIN(int, lockf64, lockf64, (int file, int command, off64_t size), (file, command, size))

/* Not those that take a character at a time from a buffer, nor printf and its relatives. */
#define STINT_OS_STREAM_CALLS(PLAIN)                                                                                   \
    PLAIN(FILE *, fopen, fopen, (const char *path, const char *mode), (path, mode))                                    \
    PLAIN(FILE *, fopen64, fopen64, (const char *path, const char *mode), (path, mode))                                \
    PLAIN(FILE *, freopen, freopen, (const char *path, const char *mode, FILE *stream), (path, mode, stream))          \
    PLAIN(FILE *, freopen64, freopen64, (const char *path, const char *mode, FILE *stream), (path, mode, stream))      \
    PLAIN(int, fclose, fclose, (FILE * stream), (stream))                                                              \
    PLAIN(int, fflush, fflush, (FILE * stream), (stream))                                                              \
    PLAIN(int, fflush_unlocked, fflush_unlocked, (FILE * stream), (stream))                                            \
    PLAIN(size_t, fread, fread, (void *to, size_t size, size_t count, FILE *stream), (to, size, count, stream))        \
    PLAIN(size_t, fread_unlocked, fread_unlocked, (void *to, size_t size, size_t count, FILE *stream),                 \
          (to, size, count, stream))                                                                                   \
    PLAIN(size_t, __fread_chk, fread, (void *to, size_t room, size_t size, size_t count, FILE *stream),                \
          (to, room, size, count, stream))                                                                             \
    PLAIN(size_t, fwrite, fwrite, (const void *from, size_t size, size_t count, FILE *stream),                         \
          (from, size, count, stream))                                                                                 \
    PLAIN(size_t, fwrite_unlocked, fwrite_unlocked, (const void *from, size_t size, size_t count, FILE *stream),       \
          (from, size, count, stream))                                                                                 \
    PLAIN(char *, fgets, fgets, (char *to, int size, FILE *stream), (to, size, stream))                                \
    PLAIN(char *, __fgets_chk, fgets, (char *to, size_t room, int size, FILE *stream), (to, room, size, stream))       \
    PLAIN(int, fputs, fputs, (const char *text, FILE *stream), (text, stream))                                         \
    PLAIN(int, puts, puts, (const char *text), (text))                                                                 \
    PLAIN(ssize_t, getline, getline, (char **line, size_t *size, FILE *stream), (line, size, stream))                  \
    PLAIN(ssize_t, getdelim, getdelim, (char **line, size_t *size, int end, FILE *stream), (line, size, end, stream))  \
    PLAIN(FILE *, popen, popen, (const char *command, const char *mode), (command, mode))                              \
    PLAIN(int, pclose, pclose, (FILE * stream), (stream))

#define STINT_OS_SOCKET_CALLS(PLAIN)                                                                                   \
    PLAIN(int, socket, socket, (int domain, int type, int protocol), (domain, type, protocol))                         \
    PLAIN(int, socketpair, socketpair, (int domain, int type, int protocol, int *pair),                                \
          (domain, type, protocol, pair))                                                                              \
    PLAIN(int, bind, bind, (int file, const struct sockaddr *address, socklen_t size), (file, address, size))          \
    PLAIN(int, listen, listen, (int file, int most), (file, most))                                                     \
    PLAIN(int, shutdown, shutdown, (int file, int how), (file, how))                                                   \
    PLAIN(int, getaddrinfo, getaddrinfo,                                                                               \
          (const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found),              \
          (host, service, hints, found))                                                                               \
    PLAIN(int, epoll_ctl, epoll_ctl, (int file, int operation, int of, struct epoll_event *event),                     \
          (file, operation, of, event))

#define STINT_OS_PROCESS_CALLS(PLAIN, OTHER)                                                                           \
    OTHER(syscall)                                                                                                     \
    PLAIN(pid_t, wait, wait, (int *status), (status))                                                                  \
    PLAIN(pid_t, wait3, wait3, (int *status, int options, struct rusage *usage), (status, options, usage))             \
    PLAIN(pid_t, wait4, wait4, (pid_t process, int *status, int options, struct rusage *usage),                        \
          (process, status, options, usage))                                                                           \
    PLAIN(pid_t, waitpid, waitpid, (pid_t process, int *status, int options), (process, status, options))              \
    PLAIN(int, waitid, waitid, (idtype_t kind, id_t id, siginfo_t * info, int options), (kind, id, info, options))     \
    PLAIN(int, system, system, (const char *command), (command))                                                       \
    PLAIN(int, sigwait, sigwait, (const sigset_t *set, int *signal), (set, signal))                                    \
    PLAIN(int, sigwaitinfo, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))                          \
    PLAIN(int, sigtimedwait, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *limit),       \
          (set, info, limit))                                                                                          \
    PLAIN(int, sched_yield, sched_yield, (void), ())

#define STINT_OS_MEMORY_CALLS(PLAIN)                                                                                   \
    PLAIN(void *, mmap, mmap, (void *address, size_t size, int access, int flags, int file, off_t at),                 \
          (address, size, access, flags, file, at))                                                                    \
    PLAIN(void *, mmap64, mmap64, (void *address, size_t size, int access, int flags, int file, off64_t at),           \
          (address, size, access, flags, file, at))                                                                    \
    PLAIN(int, munmap, munmap, (void *address, size_t size), (address, size))                                          \
    PLAIN(int, mprotect, mprotect, (void *address, size_t size, int access), (address, size, access))                  \
    PLAIN(int, msync, msync, (void *address, size_t size, int flags), (address, size, flags))                          \
    PLAIN(int, mlock, mlock, (const void *address, size_t size), (address, size))                                      \
    PLAIN(int, munlock, munlock, (const void *address, size_t size), (address, size))                                  \
    PLAIN(int, mlockall, mlockall, (int flags), (flags))

#define STINT_OS_THREAD_CALLS(PLAIN, LOCK, OTHER)                                                                      \
    LOCK(pthread_mutex_lock, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock))                                  \
    LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock))                           \
    LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))                           \
    LOCK(pthread_spin_lock, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))                                 \
    OTHER(pthread_mutex_trylock)                                                                                       \
    OTHER(pthread_rwlock_tryrdlock)                                                                                    \
    OTHER(pthread_rwlock_trywrlock)                                                                                    \
    OTHER(pthread_spin_trylock)                                                                                        \
    OTHER(mtx_lock)                                                                                                    \
    OTHER(mtx_trylock)                                                                                                 \
    OTHER(sem_wait)                                                                                                    \
    OTHER(sem_trywait)                                                                                                 \
    PLAIN(int, pthread_mutex_timedlock, pthread_mutex_timedlock,                                                       \
          (pthread_mutex_t * lock, const struct timespec *limit), (lock, limit))                                       \
    PLAIN(int, pthread_mutex_clocklock, pthread_mutex_clocklock,                                                       \
          (pthread_mutex_t * lock, clockid_t clock, const struct timespec *limit), (lock, clock, limit))               \
    PLAIN(int, pthread_rwlock_timedrdlock, pthread_rwlock_timedrdlock,                                                 \
          (pthread_rwlock_t * lock, const struct timespec *limit), (lock, limit))                                      \
    PLAIN(int, pthread_rwlock_timedwrlock, pthread_rwlock_timedwrlock,                                                 \
          (pthread_rwlock_t * lock, const struct timespec *limit), (lock, limit))                                      \
    PLAIN(int, pthread_cond_wait, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t * lock),             \
          (condition, lock))                                                                                           \
    PLAIN(int, pthread_cond_timedwait, pthread_cond_timedwait,                                                         \
          (pthread_cond_t * condition, pthread_mutex_t * lock, const struct timespec *limit),                          \
          (condition, lock, limit))                                                                                    \
    PLAIN(int, pthread_cond_clockwait, pthread_cond_clockwait,                                                         \
          (pthread_cond_t * condition, pthread_mutex_t * lock, clockid_t clock, const struct timespec *limit),         \
          (condition, lock, clock, limit))                                                                             \
    PLAIN(int, pthread_cond_signal, pthread_cond_signal, (pthread_cond_t * condition), (condition))                    \
    PLAIN(int, pthread_cond_broadcast, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))              \
    PLAIN(int, pthread_barrier_wait, pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier))                   \
    PLAIN(int, pthread_create, pthread_create,                                                                         \
          (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),                \
          (thread, attributes, run, argument))                                                                         \
    PLAIN(int, pthread_join, pthread_join, (pthread_t thread, void **result), (thread, result))                        \
    PLAIN(int, pthread_timedjoin_np, pthread_timedjoin_np,                                                             \
          (pthread_t thread, void **result, const struct timespec *limit), (thread, result, limit))                    \
    PLAIN(int, pthread_clockjoin_np, pthread_clockjoin_np,                                                             \
          (pthread_t thread, void **result, clockid_t clock, const struct timespec *limit),                            \
          (thread, result, clock, limit))                                                                              \
    PLAIN(int, mtx_timedlock, mtx_timedlock, (mtx_t * lock, const struct timespec *limit), (lock, limit))              \
    PLAIN(int, cnd_wait, cnd_wait, (cnd_t * condition, mtx_t * lock), (condition, lock))                               \
    PLAIN(int, cnd_timedwait, cnd_timedwait, (cnd_t * condition, mtx_t * lock, const struct timespec *limit),          \
          (condition, lock, limit))                                                                                    \
    PLAIN(int, thrd_join, thrd_join, (thrd_t thread, int *result), (thread, result))

#endif
