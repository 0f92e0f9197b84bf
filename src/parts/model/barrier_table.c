/* Tables of barriers in Paddle's layout, digit for digit, including how it rounds and which barriers it leaves out. */
#include "model/model.h"

#include <string.h>

#include "report/report.h"

enum { INDENT = 42, NAME = 20, WIDE = 15, NARROW = 10, LOWEST = 5 };

static struct stint_barrier_display s_display = {STINT_BARRIER_AUTO, LOWEST};

void stint_barrier_set_display(enum stint_barrier_show show, unsigned lowest)
{
    __atomic_store_n(&s_display.show, show, __ATOMIC_RELAXED);
    __atomic_store_n(&s_display.lowest, lowest, __ATOMIC_RELAXED);
}

struct stint_barrier_display stint_barrier_get_display(void)
{
    return (struct stint_barrier_display){
        __atomic_load_n(&s_display.show, __ATOMIC_RELAXED),
        __atomic_load_n(&s_display.lowest, __ATOMIC_RELAXED),
    };
}

/* Paddle computes in double and stores a float; both affect the digits that it prints. */
float stint_barrier_threshold(uint32_t participants, enum stint_barrier_show show)
{
    double n = participants;
    return show == STINT_BARRIER_ALWAYS ? 0.0f : (float)(1.0 / n + n / 8.0 / (n + 1.0));
}

static float rate(uint64_t rounds, const struct stint_barrier_stat *barrier)
{
    return (float)rounds / (float)barrier->rounds;
}

static int is_shown(const struct stint_barrier_stat *barrier, const struct stint_barrier_display *display)
{
    uint64_t most = barrier->slowest_count ? barrier->slowest[0].rounds : 0;
    return display->show != STINT_BARRIER_NEVER && barrier->participants > 2 && barrier->rounds &&
           rate(most, barrier) >= stint_barrier_threshold(barrier->participants, display->show);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void put_word(struct stint_text *text, const char *word, size_t width)
{
    stint_paddle_put_left(text, word, strlen(word), width);
}

static void put_ms(struct stint_text *text, uint64_t ns, size_t width)
{
    uint64_t us = ns / 1000;
    stint_paddle_put_number(text, (double)us * 0.001, width);
}

/* Like a timer's, the average is a division of whole microseconds. */
static void put_average(struct stint_text *text, uint64_t ns, const struct stint_barrier_part *part)
{
    put_ms(text, ns / 1000 / part->rounds * 1000, WIDE);
}

static void put_header(struct stint_text *text, enum stint_barrier_kind kind)
{
    stint_text_fill(text, ' ', INDENT);
    put_word(text, "trainerId", WIDE);
    put_word(text, "avgGap", WIDE);
    if (kind == STINT_BARRIER_END) {
        put_word(text, "avgSecondGap", WIDE);
        put_word(text, "avgLastTwoGap", WIDE);
        put_word(text, "avgMidGap", WIDE);
    } else {
        put_word(text, "minGap", NARROW);
        put_word(text, "maxGap", NARROW);
    }
    put_word(text, "rate", NARROW);
    put_word(text, "samples", NARROW);
    put_word(text, "totSamples", NARROW);
    stint_text_string(text, "\n");
}

static void put_part(struct stint_text *text, const struct stint_barrier_stat *barrier,
                     const struct stint_barrier_part *part, const char *who)
{
    stint_text_fill(text, ' ', INDENT);
    put_word(text, who, WIDE);
    put_average(text, part->gap_ns, part);
    if (barrier->kind == STINT_BARRIER_END) {
        put_average(text, part->second_gap_ns, part);
        put_average(text, part->last_two_gap_ns, part);
        put_average(text, part->middle_gap_ns, part);
    } else {
        put_ms(text, part->min_gap_ns, NARROW);
        put_ms(text, part->max_gap_ns, NARROW);
    }
    stint_paddle_put_number(text, (double)rate(part->rounds, barrier), NARROW);
    stint_paddle_put_number(text, (double)(float)part->rounds, NARROW);
    stint_paddle_put_number(text, (double)(float)barrier->rounds, NARROW);
    stint_text_string(text, "\n");
}

/* ----------------------------------------------------------------------------------------------------------- tables */

void stint_report_barrier(struct stint_text *text, const struct stint_barrier_stat *barrier,
                          const struct stint_barrier_display *display)
{
    if (!is_shown(barrier, display))
        return;
    stint_paddle_put_name(text, barrier->name, NAME);
    stint_text_string(text, "\n");
    put_header(text, barrier->kind);
    if (barrier->total.rounds)
        put_part(text, barrier, &barrier->total, "totAbstract");
    for (size_t i = 0; i < barrier->slowest_count && i < display->lowest; i++) {
        char id[STINT_NUMBER_SIZE];
        stint_number_u64(id, barrier->slowest[i].participant);
        put_part(text, barrier, &barrier->slowest[i], id);
    }
}

void stint_report_barriers(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                           const char *name)
{
    struct stint_barrier_display display = stint_barrier_get_display();
    if (!name)
        stint_text_string(text, "======= BarrierStatSet status ======\n");
    for (size_t i = 0; i < snapshot->barrier_count; i++) {
        const struct stint_barrier_stat *barrier = &snapshot->barriers[i];
        if ((!set || strcmp(barrier->set, set) == 0) && (!name || strcmp(barrier->name, name) == 0))
            stint_report_barrier(text, barrier, &display);
    }
}

enum stint_status stint_barrier_write(const struct stint_barrier_stat *barrier, stint_write_fn *write, void *context)
{
    struct stint_barrier_display display = stint_barrier_get_display();
    struct stint_text text;
    if (!barrier || !write)
        return STINT_ERROR_INVALID_ARGUMENT;
    stint_text_begin(&text, write, context);
    stint_report_barrier(&text, barrier, &display);
    return stint_text_end(&text);
}
