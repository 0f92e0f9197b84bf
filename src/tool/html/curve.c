/* Keeps curves in a fixed number of points. When one is full, neighbours are joined, with the least and greatest value
 * of both. */
#include "html/curve.h"

#include <string.h>

#include "export/event_words.h"

static int is_like(const struct stint_curve *curve, const struct stint_event *event, int64_t device,
                   const struct stint_words_point *words)
{
    return curve->pid == event->pid && curve->device == device && strcmp(curve->name, words->curve) == 0 &&
           strcmp(curve->what, words->what) == 0;
}

static struct stint_curve *append(struct stint_curves *curves, const struct stint_event *event, int64_t device,
                                  const struct stint_words_point *words)
{
    struct stint_curve *curve = stint_arena_alloc(curves->arena, sizeof *curve);
    if (!curve)
        return NULL;
    curve->pid = event->pid;
    curve->device = device;
    curve->per = 1;
    curve->name = stint_arena_copy(curves->arena, words->curve, strlen(words->curve));
    curve->what = stint_arena_copy(curves->arena, words->what, strlen(words->what));
    if (!curve->name || !curve->what)
        return NULL;
    curves->all[curves->count++] = curve;
    return curve;
}

static void merge(struct stint_curve_point *into, const struct stint_curve_point *point)
{
    into->least = point->least < into->least ? point->least : into->least;
    into->most = point->most > into->most ? point->most : into->most;
    into->last = point->last;
}

/* Makes one point of two. */
static void coarsen(struct stint_curve *curve)
{
    for (size_t i = 0; i < STINT_CURVE_POINTS / 2; i++) {
        curve->points[i] = curve->points[2 * i];
        merge(&curve->points[i], &curve->points[2 * i + 1]);
    }
    curve->count = STINT_CURVE_POINTS / 2;
    curve->per *= 2;
    curve->in_last = curve->per;
}

static void add(struct stint_curve *curve, const struct stint_curve_point *point)
{
    if (curve->count && curve->in_last < curve->per) {
        merge(&curve->points[curve->count - 1], point);
        curve->in_last++;
        return;
    }
    if (curve->count == STINT_CURVE_POINTS)
        coarsen(curve);
    curve->points[curve->count++] = *point;
    curve->in_last = 1;
}

int stint_curves_add(struct stint_curves *curves, const struct stint_event *event)
{
    struct stint_words_point words;
    int64_t device = event->memory ? (int64_t)event->memory->device : STINT_NO_DEVICE;
    struct stint_curve *curve = NULL;
    stint_words_point(&words, event);
    for (size_t i = 0; i < curves->count && !curve; i++)
        if (is_like(curves->all[i], event, device, &words))
            curve = curves->all[i];
    if (!curve && curves->count == STINT_CURVES_MOST) {
        curves->beyond++;
        return 0;
    }
    if (!curve && !(curve = append(curves, event, device, &words)))
        return -1;
    add(curve, &(struct stint_curve_point){event->start_ns, words.value, words.value, words.value});
    return 0;
}
