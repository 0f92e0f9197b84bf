/* What NVTX's events carried, in JSON. */
#include "report/json.h"
#include "stat/words.h"

static const char *what_name(enum stint_nvtx_named what)
{
    return what >= STINT_NVTX_CATEGORY && what <= STINT_NVTX_RESOURCE ? stint_nvtx_named_words[what] : "";
}

static void put_info(struct stint_json *json, const struct stint_nvtx_info *info)
{
    stint_json_new_line(json);
    stint_json_key(json, "nvtx");
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "images", info->images);
    stint_json_key_u64(json, "open", info->open);
    stint_json_key_u64(json, "rest", info->rest);
    stint_json_key_u64(json, "missing", info->missing);
    stint_json_end(json, "}");
}

void stint_json_put_nvtx_value(struct stint_json *json, const struct stint_nvtx_value *value)
{
    stint_json_begin(json, "{");
    stint_json_key_string(json, "set", value->set);
    stint_json_key_string(json, "name", value->name);
    stint_json_key_string(json, "field", value->field);
    stint_json_key_u64(json, "count", value->count);
    stint_json_key_exact(json, "sum", value->sum);
    stint_json_key_exact(json, "min", value->min);
    stint_json_key_exact(json, "max", value->max);
    stint_json_end(json, "}");
}

static void put_values(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "nvtx_values");
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        stint_json_new_line(json);
        stint_json_put_nvtx_value(json, &snapshot->nvtx_values[i]);
    }
    stint_json_end(json, "]");
}

static void put_names(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "nvtx_names");
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++) {
        const struct stint_nvtx_name *name = &snapshot->nvtx_names[i];
        stint_json_begin_row(json);
        stint_json_key_i64(json, "pid", name->pid);
        stint_json_key_string(json, "what", what_name(name->what));
        stint_json_key_string(json, "domain", name->domain);
        stint_json_key_u64(json, "handle", name->handle);
        stint_json_key_string(json, "name", name->name);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

void stint_json_put_nvtx(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    put_info(json, &snapshot->nvtx);
    put_values(json, snapshot);
    put_names(json, snapshot);
}
