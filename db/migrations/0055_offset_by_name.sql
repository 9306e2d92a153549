-- Pages of artists by name and address are found by their offset in the index. Nobody who registers, is renamed or goes waits for a table any more.
-- contracts: while the release before still runs, only its pages of artists by name beyond the five hundredth read these tables, and a job that is repeated.
DROP TRIGGER "user_places_insert" ON "users";--> statement-breakpoint
DROP TRIGGER "user_places_update" ON "users";--> statement-breakpoint
DROP TRIGGER "user_places_delete" ON "users";--> statement-breakpoint
DROP TRIGGER "user_places_truncate" ON "users";--> statement-breakpoint
DROP FUNCTION "place_users"();--> statement-breakpoint
DROP TABLE "user_place_changes";--> statement-breakpoint
DROP TABLE "user_places";
