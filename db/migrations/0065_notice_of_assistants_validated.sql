-- outside a transaction
-- Reads each table once while others read and write it.
ALTER TABLE "notices" VALIDATE CONSTRAINT "notices_kind_words";
--> statement-breakpoint
ALTER TABLE "notice_mails" VALIDATE CONSTRAINT "notice_mails_kind_words";
