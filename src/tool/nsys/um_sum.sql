-- Unified memory by address: bytes moved, page faults
-- needs events unified
.read faults.sql
SELECT printf('0x%X', address) AS "Virtual Address:text", nullif(add_up(htod), 0) AS "HtoD Migration size:mem_B",
    nullif(add_up(dtoh), 0) AS "DtoH Migration size:mem_B", nullif(add_up(faults), 0) AS "CPU Page Faults::2",
    nullif(add_up(device_faults), 0) AS "GPU Page Faults::1",
    1e3 * (add_up(htod) + add_up(dtoh)) / nullif(add_up(ns), 0) AS "Migration Throughput:thru_MB:3", add_up(ns) AS "total:rest"
FROM report_unified WHERE address <> 0 GROUP BY address
ORDER BY coalesce(1e3 * (add_up(htod) + add_up(dtoh)) / nullif(add_up(ns), 0), 0) DESC, address < 0, address
