/* Times a call of MPI as a scope, and counts its bytes. Calls that the MPI library makes within another call are not
 * counted again. */
#include "mpi/timed_call.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "stat/builder.h"

/* ----------------------------------------------------------------------------------------------------------- wanted */

int stint_mpi_wanted(void)
{
    static int s_wanted = -1;
    int wanted = __atomic_load_n(&s_wanted, __ATOMIC_RELAXED);
    const char *text = wanted < 0 ? stint_env_text("STINT_MPI") : NULL;
    if (wanted >= 0)
        return wanted;
    wanted = STINT_MPI_TIMERS | STINT_MPI_REPORT;
    if ((text && strcmp(text, "off") == 0) || !stint_mpi_is_known())
        wanted = 0;
    else if (text && strcmp(text, "timers") == 0)
        wanted = STINT_MPI_TIMERS;
    else if (text && strcmp(text, "report") == 0)
        wanted = STINT_MPI_REPORT;
    __atomic_store_n(&s_wanted, wanted, __ATOMIC_RELAXED);
    return wanted;
}

/* ------------------------------------------------------------------------------------------------------------ bytes */

static struct bytes {
    uint64_t count; /* of calls that gave or took any */
    uint64_t sum;
    uint64_t least; /* + 1; 0: none yet */
    uint64_t most;
} s_bytes[STINT_MPI_CALL_COUNT];

static void raise_to(uint64_t *most, uint64_t value)
{
    uint64_t found = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (found < value && !__atomic_compare_exchange_n(most, &found, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void lower_to(uint64_t *least, uint64_t value)
{
    uint64_t found = __atomic_load_n(least, __ATOMIC_RELAXED);
    while ((!found || found > value) &&
           !__atomic_compare_exchange_n(least, &found, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void count_bytes(struct bytes *into, uint64_t bytes)
{
    (void)__atomic_fetch_add(&into->count, 1, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&into->sum, bytes, __ATOMIC_RELAXED);
    raise_to(&into->most, bytes);
    lower_to(&into->least, bytes + 1);
}

void stint_mpi_call_add_bytes(struct stint_builder *builder)
{
#define NAME(name, ...) #name,
    static const char *const names[] = {STINT_MPI_CALLS(NAME, NAME)};
#undef NAME
    for (size_t i = 0; i < STINT_MPI_CALL_COUNT; i++) {
        struct bytes bytes = s_bytes[i];
        if (bytes.count)
            stint_builder_add(builder, STINT_ROWS_NVTX_VALUES,
                              &(struct stint_nvtx_value){.set = STINT_MPI_SET,
                                                         .name = names[i],
                                                         .field = "bytes",
                                                         .count = bytes.count,
                                                         .sum = (double)bytes.sum,
                                                         .min = (double)(bytes.least - 1),
                                                         .max = (double)bytes.most});
    }
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static __thread int s_is_within;

int stint_mpi_call_begin(void)
{
    if (s_is_within || !(stint_mpi_wanted() & STINT_MPI_TIMERS))
        return 0;
    s_is_within = 1;
    return 1;
}

struct stint_i_node *stint_mpi_enter(struct stint_i_site *site, const char *name)
{
    static struct stint_statset *s_set;
    struct stint_statset *set = __atomic_load_n(&s_set, __ATOMIC_RELAXED);
    if (!set) {
        set = stint_statset_get(STINT_MPI_SET);
        __atomic_store_n(&s_set, set, __ATOMIC_RELAXED);
    }
    return stint_i_enter_thinned(site, name, set);
}

void stint_mpi_leave(struct stint_i_node **scope)
{
    (void)stint_i_leave(*scope);
}

void stint_mpi_call_end(enum stint_mpi_call_number call, uint64_t bytes)
{
    if (bytes)
        count_bytes(&s_bytes[call], bytes);
    stint_mpi_note();
    s_is_within = 0;
}

/* Looks up the real functions of MPI behind the wrappers, and the objects that constants such as MPI_COMM_WORLD stand
 * for in the library that the program has, which may be another than the one at build time. */

/* In a program that loads MPI itself, as Python does, MPI is in no scope that dlsym searches by default. */
static void *find_in_loaded(const char *name)
{
    static const char *const libraries[] = {"libmpi.so.40", "libmpi.so.12",       "libmpich.so.12",
                                            "libmpi.so",    "libmpi_mpifh.so.40", "libmpifort.so.12"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        void *found = library ? dlsym(library, name) : NULL;
        if (library)
            (void)dlclose(library);
        if (found)
            return found;
    }
    return NULL;
}

/* Objects may have been copied into the program, so the program comes first. */
void *stint_mpi_find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : find_in_loaded(name);
}

void *stint_mpi_find_fortran(const char *name)
{
    char own[64];
    (void)snprintf(own, sizeof own, "p%s", name);
    void *found = stint_mpi_find(own);
    (void)snprintf(own, sizeof own, "pmpir_%s", name + strlen("mpi_"));
    return found ? found : stint_mpi_find(own);
}

void *stint_mpi_find_once(void **kept, const char *name)
{
    void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (!found) {
        found = stint_mpi_find(name);
        __atomic_store_n(kept, found, __ATOMIC_RELAXED);
    }
    return found;
}

#ifdef OPEN_MPI

MPI_Comm stint_mpi_world(void)
{
    static void *s_world;
    return (MPI_Comm)stint_mpi_find_once(&s_world, "ompi_mpi_comm_world");
}

MPI_Datatype stint_mpi_byte(void)
{
    static void *s_byte;
    return (MPI_Datatype)stint_mpi_find_once(&s_byte, "ompi_mpi_byte");
}

int stint_mpi_is_known(void)
{
    return stint_mpi_world() != NULL;
}

#else

MPI_Comm stint_mpi_world(void)
{
    return MPI_COMM_WORLD;
}

MPI_Datatype stint_mpi_byte(void)
{
    return MPI_BYTE;
}

int stint_mpi_is_known(void)
{
    static int s_state; /* 0: not known yet */
    int state = __atomic_load_n(&s_state, __ATOMIC_RELAXED);
    if (!state) {
        state = stint_mpi_find("ompi_mpi_comm_world") ? 1 : 2;
        __atomic_store_n(&s_state, state, __ATOMIC_RELAXED);
    }
    return state == 2;
}

#endif
