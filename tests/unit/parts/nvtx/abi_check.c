/* nvtx/abi.h against NVTX's own headers: compiling this is the test. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <stddef.h>

#include "nvtx/abi.h"

#define SAME(ours, theirs) _Static_assert((unsigned long long)(ours) == (unsigned long long)(theirs), #theirs)
#define SAME_SIZE(ours, theirs) SAME(sizeof(ours), sizeof(theirs))
#define SAME_FIELD(ours, our_field, theirs, their_field)                                                               \
    SAME(offsetof(ours, our_field), offsetof(theirs, their_field));                                                    \
    SAME(sizeof(((ours *)0)->our_field), sizeof(((theirs *)0)->their_field))

/* -------------------------------------------------------------------------------------------------------- attaching */

SAME(STINT_NVTX_VERSION, NVTX_VERSION);
SAME(STINT_NVTX_TABLE_CALLBACKS, NVTX_ETID_CALLBACKS);
SAME(STINT_NVTX_TABLE_VERSION, NVTX_ETID_VERSIONINFO);

SAME_SIZE(struct stint_nvtx_callbacks, NvtxExportTableCallbacks);
SAME_FIELD(struct stint_nvtx_callbacks, size, NvtxExportTableCallbacks, struct_size);
SAME_FIELD(struct stint_nvtx_callbacks, module, NvtxExportTableCallbacks, GetModuleFunctionTable);

SAME_SIZE(struct stint_nvtx_version_info, NvtxExportTableVersionInfo);
SAME_FIELD(struct stint_nvtx_version_info, size, NvtxExportTableVersionInfo, struct_size);
SAME_FIELD(struct stint_nvtx_version_info, version, NvtxExportTableVersionInfo, version);
SAME_FIELD(struct stint_nvtx_version_info, set_version, NvtxExportTableVersionInfo, SetInjectionNvtxVersion);

SAME(STINT_NVTX_CORE, NVTX_CB_MODULE_CORE);
SAME(STINT_NVTX_CUDA, NVTX_CB_MODULE_CUDA);
SAME(STINT_NVTX_CUDART, NVTX_CB_MODULE_CUDART);
SAME(STINT_NVTX_CORE2, NVTX_CB_MODULE_CORE2);

#define SAME_IN_CORE(module, callback, number, name, ...) SAME(number, NVTX_CBID_CORE_##name);
#define SAME_IN_CORE2(module, callback, number, name, ...) SAME(number, NVTX_CBID_CORE2_##name);
#define SAME_IN_CUDA(module, callback, number, name, ...) SAME(number, NVTX_CBID_CUDA_##name);
#define SAME_IN_CUDART(module, callback, number, name, ...) SAME(number, NVTX_CBID_CUDART_##name);
#define SAME_IN_EXTENSION(module, callback, number, name, ...) SAME(number, NVTX3EXT_CBID_nvtx##name);

STINT_NVTX_CORE_ENTRIES(SAME_IN_CORE)
STINT_NVTX_CORE2_ENTRIES(SAME_IN_CORE2)
STINT_NVTX_CUDA_ENTRIES(SAME_IN_CUDA)
STINT_NVTX_CUDART_ENTRIES(SAME_IN_CUDART)
STINT_NVTX_PAYLOAD_ENTRIES(SAME_IN_EXTENSION)
STINT_NVTX_COUNTER_ENTRIES(SAME_IN_EXTENSION)

/* ----------------------------------------------------------------------------------------------------------- events */

SAME(STINT_NVTX_UNTRACKED, NVTX_NO_PUSH_POP_TRACKING);
SAME(STINT_NVTX_TEXT_NONE, NVTX_MESSAGE_UNKNOWN);
SAME(STINT_NVTX_TEXT_ASCII, NVTX_MESSAGE_TYPE_ASCII);
SAME(STINT_NVTX_TEXT_WIDE, NVTX_MESSAGE_TYPE_UNICODE);
SAME(STINT_NVTX_TEXT_REGISTERED, NVTX_MESSAGE_TYPE_REGISTERED);
SAME(STINT_NVTX_PAYLOAD_NONE, NVTX_PAYLOAD_UNKNOWN);
SAME(STINT_NVTX_PAYLOAD_U64, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64);
SAME(STINT_NVTX_PAYLOAD_I64, NVTX_PAYLOAD_TYPE_INT64);
SAME(STINT_NVTX_PAYLOAD_F64, NVTX_PAYLOAD_TYPE_DOUBLE);
SAME(STINT_NVTX_PAYLOAD_U32, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32);
SAME(STINT_NVTX_PAYLOAD_I32, NVTX_PAYLOAD_TYPE_INT32);
SAME(STINT_NVTX_PAYLOAD_F32, NVTX_PAYLOAD_TYPE_FLOAT);
SAME(STINT_NVTX_PAYLOAD_EXTENDED, NVTX_PAYLOAD_TYPE_EXT);

SAME_SIZE(struct stint_nvtx_attributes, nvtxEventAttributes_t);
SAME_FIELD(struct stint_nvtx_attributes, version, nvtxEventAttributes_t, version);
SAME_FIELD(struct stint_nvtx_attributes, size, nvtxEventAttributes_t, size);
SAME_FIELD(struct stint_nvtx_attributes, category, nvtxEventAttributes_t, category);
SAME_FIELD(struct stint_nvtx_attributes, color_type, nvtxEventAttributes_t, colorType);
SAME_FIELD(struct stint_nvtx_attributes, color, nvtxEventAttributes_t, color);
SAME_FIELD(struct stint_nvtx_attributes, payload_type, nvtxEventAttributes_t, payloadType);
SAME_FIELD(struct stint_nvtx_attributes, payload_count, nvtxEventAttributes_t, reserved0);
SAME_FIELD(struct stint_nvtx_attributes, payload, nvtxEventAttributes_t, payload);
SAME_FIELD(struct stint_nvtx_attributes, text_type, nvtxEventAttributes_t, messageType);
SAME_FIELD(struct stint_nvtx_attributes, text, nvtxEventAttributes_t, message);

SAME(STINT_NVTX_IS_THREAD, NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE);
SAME(STINT_NVTX_IS_CU_DEVICE, NVTX_RESOURCE_TYPE_CUDA_DEVICE);
SAME(STINT_NVTX_IS_CU_CONTEXT, NVTX_RESOURCE_TYPE_CUDA_CONTEXT);
SAME(STINT_NVTX_IS_CU_STREAM, NVTX_RESOURCE_TYPE_CUDA_STREAM);
SAME(STINT_NVTX_IS_CU_EVENT, NVTX_RESOURCE_TYPE_CUDA_EVENT);
SAME(STINT_NVTX_IS_CUDA_DEVICE, NVTX_RESOURCE_TYPE_CUDART_DEVICE);
SAME(STINT_NVTX_IS_CUDA_STREAM, NVTX_RESOURCE_TYPE_CUDART_STREAM);
SAME(STINT_NVTX_IS_CUDA_EVENT, NVTX_RESOURCE_TYPE_CUDART_EVENT);

SAME_SIZE(struct stint_nvtx_resource_attributes, nvtxResourceAttributes_t);
SAME_FIELD(struct stint_nvtx_resource_attributes, size, nvtxResourceAttributes_t, size);
SAME_FIELD(struct stint_nvtx_resource_attributes, type, nvtxResourceAttributes_t, identifierType);
SAME_FIELD(struct stint_nvtx_resource_attributes, identifier, nvtxResourceAttributes_t, identifier);
SAME_FIELD(struct stint_nvtx_resource_attributes, text_type, nvtxResourceAttributes_t, messageType);
SAME_FIELD(struct stint_nvtx_resource_attributes, text, nvtxResourceAttributes_t, message);

/* ------------------------------------------------------------------------------------------------------- extensions */

SAME_SIZE(struct stint_nvtx_segment, nvtxExtModuleSegment_t);
SAME_FIELD(struct stint_nvtx_segment, slot_count, nvtxExtModuleSegment_t, slotCount);
SAME_FIELD(struct stint_nvtx_segment, slots, nvtxExtModuleSegment_t, functionSlots);

SAME_SIZE(struct stint_nvtx_module, nvtxExtModuleInfo_t);
SAME_FIELD(struct stint_nvtx_module, size, nvtxExtModuleInfo_t, structSize);
SAME_FIELD(struct stint_nvtx_module, id, nvtxExtModuleInfo_t, moduleId);
SAME_FIELD(struct stint_nvtx_module, compatibility, nvtxExtModuleInfo_t, compatId);
SAME_FIELD(struct stint_nvtx_module, segment_count, nvtxExtModuleInfo_t, segmentsCount);
SAME_FIELD(struct stint_nvtx_module, segments, nvtxExtModuleInfo_t, segments);
SAME_FIELD(struct stint_nvtx_module, info, nvtxExtModuleInfo_t, extInfo);

SAME(STINT_NVTX_PAYLOAD_MODULE, NVTX_EXT_PAYLOAD_MODULEID);
SAME(STINT_NVTX_COUNTER_MODULE, NVTX_EXT_COUNTERS_MODULEID);
/* Later ones only add, as long as what is compared here stays the same. */
_Static_assert(NVTX_EXT_PAYLOAD_COMPATID >= STINT_NVTX_PAYLOAD_COMPATIBILITY, "payload extension");
_Static_assert(NVTX_EXT_COUNTERS_COMPATID >= STINT_NVTX_COUNTER_COMPATIBILITY, "counter extension");

SAME_SIZE(struct stint_nvtx_data, nvtxPayloadData_t);
SAME_FIELD(struct stint_nvtx_data, schema, nvtxPayloadData_t, schemaId);
SAME_FIELD(struct stint_nvtx_data, size, nvtxPayloadData_t, size);
SAME_FIELD(struct stint_nvtx_data, bytes, nvtxPayloadData_t, payload);

SAME(STINT_NVTX_FIRST_STATIC_ID, NVTX_PAYLOAD_SCHEMA_ID_STATIC_START);
SAME(STINT_NVTX_FIRST_DYNAMIC_ID, NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
SAME(STINT_NVTX_FIRST_STATIC_ID, NVTX_COUNTER_ID_STATIC_START);
SAME(STINT_NVTX_FIRST_DYNAMIC_ID, NVTX_COUNTER_ID_DYNAMIC_START);

SAME(STINT_NVTX_TYPE_CHAR, NVTX_PAYLOAD_ENTRY_TYPE_CHAR);
SAME(10, NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG);
SAME(11, NVTX_PAYLOAD_ENTRY_TYPE_INT8);
SAME(STINT_NVTX_TYPE_U64, NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
SAME(STINT_NVTX_TYPE_FLOAT, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT);
SAME(STINT_NVTX_TYPE_DOUBLE, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE);
SAME(STINT_NVTX_TYPE_LONG_DOUBLE, NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE);
SAME(STINT_NVTX_TYPE_SIZE, NVTX_PAYLOAD_ENTRY_TYPE_SIZE);
SAME(STINT_NVTX_TYPE_ADDRESS, NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS);
SAME(STINT_NVTX_TYPE_WCHAR, NVTX_PAYLOAD_ENTRY_TYPE_WCHAR);
SAME(STINT_NVTX_TYPE_CHAR8, NVTX_PAYLOAD_ENTRY_TYPE_CHAR8);
SAME(STINT_NVTX_TYPE_CHAR16, NVTX_PAYLOAD_ENTRY_TYPE_CHAR16);
SAME(STINT_NVTX_TYPE_CHAR32, NVTX_PAYLOAD_ENTRY_TYPE_CHAR32);
SAME(STINT_NVTX_TYPE_BYTE, NVTX_PAYLOAD_ENTRY_TYPE_BYTE);
SAME(STINT_NVTX_TYPE_INT128, NVTX_PAYLOAD_ENTRY_TYPE_INT128);
SAME(STINT_NVTX_TYPE_UINT128, NVTX_PAYLOAD_ENTRY_TYPE_UINT128);
SAME(STINT_NVTX_TYPE_FLOAT16, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16);
SAME(STINT_NVTX_TYPE_FLOAT32, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32);
SAME(STINT_NVTX_TYPE_FLOAT64, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64);
SAME(STINT_NVTX_TYPE_FLOAT128, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128);
SAME(STINT_NVTX_TYPE_BF16, NVTX_PAYLOAD_ENTRY_TYPE_BF16);
SAME(STINT_NVTX_TYPE_TF32, NVTX_PAYLOAD_ENTRY_TYPE_TF32);
SAME(STINT_NVTX_TYPE_CATEGORY, NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY);
SAME(STINT_NVTX_TYPE_COLOR, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB);
SAME(STINT_NVTX_TYPE_SCOPE_ID, NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID);
SAME(STINT_NVTX_TYPE_PID32, NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32);
SAME(STINT_NVTX_TYPE_PID64, NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64);
SAME(STINT_NVTX_TYPE_TID32, NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32);
SAME(STINT_NVTX_TYPE_TID64, NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64);
SAME(STINT_NVTX_TYPE_CSTRING, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING);
SAME(STINT_NVTX_TYPE_CSTRING_UTF8, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8);
SAME(STINT_NVTX_TYPE_CSTRING_UTF16, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16);
SAME(STINT_NVTX_TYPE_CSTRING_UTF32, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32);
SAME(STINT_NVTX_TYPE_REGISTERED, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE);
SAME(STINT_NVTX_TYPE_SELECTOR, NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR);

SAME(STINT_NVTX_ENTRY_POINTER, NVTX_PAYLOAD_ENTRY_FLAG_POINTER);
SAME(STINT_NVTX_ENTRY_ELSEWHERE, NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                                     NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE);
SAME(STINT_NVTX_ENTRY_ARRAY, NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX);
SAME(STINT_NVTX_ENTRY_ARRAY_FIXED, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE);
SAME(STINT_NVTX_ENTRY_MESSAGE, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE);
SAME(STINT_NVTX_ENTRY_TIMESTAMP, NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP);

SAME_SIZE(struct stint_nvtx_entry, nvtxPayloadSchemaEntry_t);
SAME_FIELD(struct stint_nvtx_entry, flags, nvtxPayloadSchemaEntry_t, flags);
SAME_FIELD(struct stint_nvtx_entry, type, nvtxPayloadSchemaEntry_t, type);
SAME_FIELD(struct stint_nvtx_entry, name, nvtxPayloadSchemaEntry_t, name);
SAME_FIELD(struct stint_nvtx_entry, detail, nvtxPayloadSchemaEntry_t, arrayOrUnionDetail);
SAME_FIELD(struct stint_nvtx_entry, offset, nvtxPayloadSchemaEntry_t, offset);

SAME(STINT_NVTX_SCHEMA_STATIC, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC);
SAME(STINT_NVTX_SCHEMA_DYNAMIC, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC);
SAME(STINT_NVTX_SCHEMA_HAS_NAME, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME);
SAME(STINT_NVTX_SCHEMA_HAS_TYPE, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE);
SAME(STINT_NVTX_SCHEMA_HAS_ENTRIES, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES);
SAME(STINT_NVTX_SCHEMA_HAS_COUNT, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES);
SAME(STINT_NVTX_SCHEMA_HAS_SIZE, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE);
SAME(STINT_NVTX_SCHEMA_HAS_ALIGNMENT, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT);
SAME(STINT_NVTX_SCHEMA_HAS_ID, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID);

SAME_SIZE(struct stint_nvtx_schema_attributes, nvtxPayloadSchemaAttr_t);
SAME_FIELD(struct stint_nvtx_schema_attributes, fields, nvtxPayloadSchemaAttr_t, fieldMask);
SAME_FIELD(struct stint_nvtx_schema_attributes, name, nvtxPayloadSchemaAttr_t, name);
SAME_FIELD(struct stint_nvtx_schema_attributes, type, nvtxPayloadSchemaAttr_t, type);
SAME_FIELD(struct stint_nvtx_schema_attributes, entries, nvtxPayloadSchemaAttr_t, entries);
SAME_FIELD(struct stint_nvtx_schema_attributes, entry_count, nvtxPayloadSchemaAttr_t, numEntries);
SAME_FIELD(struct stint_nvtx_schema_attributes, size, nvtxPayloadSchemaAttr_t, payloadStaticSize);
SAME_FIELD(struct stint_nvtx_schema_attributes, alignment, nvtxPayloadSchemaAttr_t, packAlign);
SAME_FIELD(struct stint_nvtx_schema_attributes, id, nvtxPayloadSchemaAttr_t, schemaId);

SAME(STINT_NVTX_ENUM_HAS_SIZE, NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE);
SAME(STINT_NVTX_ENUM_HAS_ID, NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID);
SAME_SIZE(struct stint_nvtx_enum_attributes, nvtxPayloadEnumAttr_t);
SAME_FIELD(struct stint_nvtx_enum_attributes, size, nvtxPayloadEnumAttr_t, sizeOfEnum);
SAME_FIELD(struct stint_nvtx_enum_attributes, id, nvtxPayloadEnumAttr_t, schemaId);

SAME_SIZE(struct stint_nvtx_scope_attributes, nvtxScopeAttr_t);
SAME_FIELD(struct stint_nvtx_scope_attributes, id, nvtxScopeAttr_t, scopeId);
SAME_SIZE(struct stint_nvtx_time_domain_attributes, nvtxTimeDomainAttr_t);
SAME_FIELD(struct stint_nvtx_time_domain_attributes, id, nvtxTimeDomainAttr_t, timeDomainId);
SAME_SIZE(struct stint_nvtx_event_batch, nvtxEventBatch_t);
SAME_FIELD(struct stint_nvtx_event_batch, schema, nvtxEventBatch_t, eventSchemaId);
SAME_FIELD(struct stint_nvtx_event_batch, size, nvtxEventBatch_t, size);

SAME_SIZE(struct stint_nvtx_counter_attributes, nvtxCounterAttr_t);
SAME_FIELD(struct stint_nvtx_counter_attributes, size, nvtxCounterAttr_t, structSize);
SAME_FIELD(struct stint_nvtx_counter_attributes, schema, nvtxCounterAttr_t, schemaId);
SAME_FIELD(struct stint_nvtx_counter_attributes, name, nvtxCounterAttr_t, name);
SAME_FIELD(struct stint_nvtx_counter_attributes, id, nvtxCounterAttr_t, counterId);
SAME_SIZE(struct stint_nvtx_counter_batch, nvtxCounterBatch_t);
SAME_FIELD(struct stint_nvtx_counter_batch, counter, nvtxCounterBatch_t, counterId);
SAME_FIELD(struct stint_nvtx_counter_batch, samples, nvtxCounterBatch_t, counters);
SAME_FIELD(struct stint_nvtx_counter_batch, size, nvtxCounterBatch_t, countersSize);
