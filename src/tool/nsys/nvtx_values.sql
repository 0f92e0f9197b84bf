-- Numbers in NVTX payloads, and NVTX counters
-- needs values
SELECT name AS "Range or counter:name", domain AS "Domain:text", style AS "Style:text:11", field AS "Field:text",
    count AS "Count", sum AS "Sum:value", sum / count AS "Avg:value:15", min AS "Min:value", max AS "Max:value"
FROM stint_nvtx_values
ORDER BY domain, name, style, field, id
