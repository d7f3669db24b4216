-- The database of positiond 0.1.0 as the daemon left it after commands of positionctl. It is not changed any more.
BEGIN TRANSACTION;
CREATE TABLE clocks (
  key INTEGER PRIMARY KEY,
  boot TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  UNIQUE (boot, epoch)
) STRICT;
INSERT INTO "clocks" VALUES(1,'8799c989-f9d9-4310-91a1-758e00fb12da',1795445223679480120);
CREATE TABLE decisions (
  uid INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO "decisions" VALUES(1,'daemon','{"at":3653772864000,"precision":"precise"}',1);
INSERT INTO "decisions" VALUES(65534,'nobody','{"at":3653596168000,"level":"always","precision":"reduced"}',1);
CREATE TABLE disguise (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO "disguise" VALUES(0,'{"drifted":3650893668736,"east":-749.4531182982793,"north":331.367993990632}',1);
CREATE TABLE events (
  name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
  id INTEGER NOT NULL,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  PRIMARY KEY (name, id)
) STRICT;
CREATE TABLE master_switch (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  is_on INTEGER NOT NULL
, unread TEXT) STRICT;
INSERT INTO "master_switch" VALUES(0,0,NULL);
CREATE TABLE names (
  key INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL,
  name TEXT NOT NULL,
  user TEXT,
  wake TEXT,
  has_visits INTEGER NOT NULL DEFAULT 0,
  last_event INTEGER NOT NULL DEFAULT 0,
  dropped INTEGER NOT NULL DEFAULT 0, view TEXT,
  UNIQUE (uid, name)
) STRICT;
INSERT INTO "names" VALUES(1,0,'tracker','root','weather.service',0,0,0,NULL);
INSERT INTO "names" VALUES(2,0,'visits','root',NULL,1,0,0,NULL);
CREATE TABLE positions (
  name INTEGER PRIMARY KEY REFERENCES names ON DELETE CASCADE,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO "positions" VALUES(1,'{"parameters":{"activity":"other","autoPause":false,"level":"room","minDistance":0,"minInterval":[1,0],"mode":"significant","replay":"fresh","significantDistance":500,"significantInterval":[300,0]},"updates":0}',1);
CREATE TABLE regions (
  key INTEGER PRIMARY KEY,
  name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  standing TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  UNIQUE (name, id)
) STRICT;
INSERT INTO "regions" VALUES(1,1,'home','{"circle":{"latitude":48.137,"longitude":11.575,"radius":150},"id":"home","initial":"none","notify":["enter","exit"]}','{"hasDwelled":false,"state":"unknown"}',1);
INSERT INTO "regions" VALUES(2,1,'field','{"cap":[0.6309785774552812,0.09294403118339638,0.7702125952358152,0.0026432124834680644],"corners":"AAAAAABASUAAAAAAAIAgQAAAAAAAQElAAAAAAAAAIUAAAAAAACBJQAAAAAAAACFA","dwellTime":[300,0],"id":"field","initial":"none","notify":["enter","exit","dwell"],"reach":6197.5701255984295}','{"hasDwelled":false,"state":"unknown"}',1);
CREATE TABLE retired (
  uid INTEGER PRIMARY KEY,
  last_event INTEGER NOT NULL
) STRICT;
CREATE TABLE unreadable (
  key INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  uid INTEGER,
  name TEXT,
  id TEXT,
  body TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE visit_memories (
  view TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO "visit_memories" VALUES('precise','{"hasMoved":false,"lastVisit":0}',1);
CREATE TABLE wake_starts (
  uid INTEGER NOT NULL,
  unit TEXT NOT NULL,
  at INTEGER NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  PRIMARY KEY (uid, unit)
) STRICT;
COMMIT;
PRAGMA application_id = 1886352196;
PRAGMA user_version = 4;
