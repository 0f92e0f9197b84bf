-- Launches of kernels by thread, call and kernel
-- needs events calls kernels
.read launches.sql
SELECT pid AS "PID:id:17", tid AS "TID:id:18", deviceId AS "DevId:id:20", count(*) AS "Count",
    count(queue_ns) AS "QCount::19",
    avg(total_ns) AS "TAvg:dur_ns", median(total_ns) AS "TMed:dur_ns:15", min(total_ns) AS "TMin:dur_ns:10",
    max(total_ns) AS "TMax:dur_ns:19", deviation(total_ns) AS "TStdDev:dur_ns:5",
    avg(api_ns) AS "AAvg:dur_ns:21", median(api_ns) AS "AMed:dur_ns:14", min(api_ns) AS "AMin:dur_ns:9",
    max(api_ns) AS "AMax:dur_ns:18", deviation(api_ns) AS "AStdDev:dur_ns:4",
    avg(queue_ns) AS "QAvg:dur_ns:21", median(queue_ns) AS "QMed:dur_ns:13", min(queue_ns) AS "QMin:dur_ns:8",
    max(queue_ns) AS "QMax:dur_ns:17", deviation(queue_ns) AS "QStdDev:dur_ns:3",
    avg(ns) AS "KAvg:dur_ns", median(ns) AS "KMed:dur_ns:12", min(ns) AS "KMin:dur_ns:7",
    max(ns) AS "KMax:dur_ns:16", deviation(ns) AS "KStdDev:dur_ns:2",
    api AS "API Name:text:22", name AS "Kernel Name:name", add_up(total_ns) AS "total:rest"
FROM report_launches
GROUP BY globalTid, deviceId, apiId, nameId
ORDER BY add_up(total_ns) DESC, min(id)
