-- What nobody wrote by accident: views that contain themselves, columns that compute, virtual tables, triggers, keys
-- that are no numbers, strings of strings.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);
INSERT INTO StringIds VALUES (1, x'00ff'), (2, ''), (3, printf('%.*c', 9000, 'n')), (4, 'a' || char(0) || 'b'), (5, NULL);
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMSET;
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMCPY;
CREATE TABLE NVTX_EVENTS (start, "end", eventType, text, globalTid, textId, domainId AS (zeroblob(1000)), uint64Value,
    doubleValue, floatValue);
INSERT INTO NVTX_EVENTS VALUES (1, 9, 59, 'a', 7, NULL, 5, 9e999, NULL), (2, 8, 59, NULL, 7, 4, NULL, 'x', 0.1),
    (3, 20, 59, '', 7, NULL, NULL, NULL, 1), (4, NULL, 60, 'open', NULL, NULL, -1, NULL, NULL),
    (9223372036854775807, -9223372036854775808, 59, 'far', 7, NULL, NULL, NULL, NULL),
    ('1', '2', 59, 'text', 7, NULL, NULL, NULL, NULL), (5, 5, '59', 'no type', 7, NULL, NULL, NULL, NULL),
    (6, 7, 34, 'mark', -1, NULL, NULL, NULL, NULL), (0, 0, 75, 'domain', 7, NULL, NULL, NULL, NULL);
CREATE TRIGGER t AFTER INSERT ON NVTX_EVENTS BEGIN INSERT INTO NVTX_EVENTS VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9); END;
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid, correlationId, nameId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 4611686018427387903, 7, -1, 1), (2, 3, 7, 5, 3), (2, 3, 7, 5, 99);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId, streamId, correlationId, globalPid,
    demangledName, gridX, bytes AS (zeroblob(100000)));
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 0, 0, 0, 5, 0, 3, 1), (3, 9, -4, 99999999999, 5, 0, 3, -1),
    (3, 4611686018427387903, 1, 1, 5, 0, 3, 1e300), (2, 1, 1, 1, 5, 0, 3, 1);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ('never');
CREATE TABLE ANALYSIS_DETAILS (duration);
INSERT INTO ANALYSIS_DETAILS VALUES (-1);
CREATE TABLE PROCESSES (pid, name);
INSERT INTO PROCESSES VALUES ('x', x'80'), (1, NULL);
CREATE TABLE ThreadNames (nameId, globalTid);
INSERT INTO ThreadNames VALUES (3, 7), (NULL, NULL), ('a', 'b');
