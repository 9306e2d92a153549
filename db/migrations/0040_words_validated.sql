-- outside a transaction
-- Reads each table once while others read and write it.
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_action_words";
--> statement-breakpoint
ALTER TABLE "media_tallies" VALIDATE CONSTRAINT "media_tallies_kind_words";
--> statement-breakpoint
ALTER TABLE "movement_tallies" VALIDATE CONSTRAINT "movement_tallies_kind_words", VALIDATE CONSTRAINT "movement_tallies_from_plan_words", VALIDATE CONSTRAINT "movement_tallies_to_plan_words";
--> statement-breakpoint
ALTER TABLE "order_tallies" VALIDATE CONSTRAINT "order_tallies_plan_words", VALIDATE CONSTRAINT "order_tallies_action_words", VALIDATE CONSTRAINT "order_tallies_status_words";
--> statement-breakpoint
ALTER TABLE "subscription_tallies" VALIDATE CONSTRAINT "subscription_tallies_plan_words", VALIDATE CONSTRAINT "subscription_tallies_status_words";
--> statement-breakpoint
ALTER TABLE "user_place_changes" VALIDATE CONSTRAINT "user_place_changes_alphabet_words";
--> statement-breakpoint
ALTER TABLE "user_places" VALIDATE CONSTRAINT "user_places_alphabet_words";
--> statement-breakpoint
ALTER TABLE "appointments" VALIDATE CONSTRAINT "appointments_booking_type_words", VALIDATE CONSTRAINT "appointments_time_slot_words", VALIDATE CONSTRAINT "appointments_status_words", VALIDATE CONSTRAINT "appointments_made_by_words";
--> statement-breakpoint
ALTER TABLE "booking_news" VALIDATE CONSTRAINT "booking_news_audience_words", VALIDATE CONSTRAINT "booking_news_told_status_words";
--> statement-breakpoint
ALTER TABLE "link_requests" VALIDATE CONSTRAINT "link_requests_purpose_words";
--> statement-breakpoint
ALTER TABLE "link_tokens" VALIDATE CONSTRAINT "link_tokens_purpose_words";
--> statement-breakpoint
ALTER TABLE "user_identities" VALIDATE CONSTRAINT "user_identities_provider_words";
--> statement-breakpoint
ALTER TABLE "media_items" VALIDATE CONSTRAINT "media_items_kind_words", VALIDATE CONSTRAINT "media_items_mime_type_words";
--> statement-breakpoint
ALTER TABLE "uploads" VALIDATE CONSTRAINT "uploads_source_words";
--> statement-breakpoint
ALTER TABLE "notice_mails" VALIDATE CONSTRAINT "notice_mails_kind_words";
--> statement-breakpoint
ALTER TABLE "notices" VALIDATE CONSTRAINT "notices_kind_words";
--> statement-breakpoint
ALTER TABLE "post_media" VALIDATE CONSTRAINT "post_media_kind_words";
--> statement-breakpoint
ALTER TABLE "post_targets" VALIDATE CONSTRAINT "post_targets_platform_words", VALIDATE CONSTRAINT "post_targets_phase_words", VALIDATE CONSTRAINT "post_targets_left_behind_words";
--> statement-breakpoint
ALTER TABLE "posts" VALIDATE CONSTRAINT "posts_status_words";
--> statement-breakpoint
ALTER TABLE "publish_attempts" VALIDATE CONSTRAINT "publish_attempts_from_phase_words", VALIDATE CONSTRAINT "publish_attempts_to_phase_words", VALIDATE CONSTRAINT "publish_attempts_error_class_words";
--> statement-breakpoint
ALTER TABLE "quota_uses" VALIDATE CONSTRAINT "quota_uses_state_words";
--> statement-breakpoint
ALTER TABLE "deletion_requests" VALIDATE CONSTRAINT "deletion_requests_platform_words";
--> statement-breakpoint
ALTER TABLE "oauth_states" VALIDATE CONSTRAINT "oauth_states_platform_words";
--> statement-breakpoint
ALTER TABLE "social_accounts" VALIDATE CONSTRAINT "social_accounts_platform_words", VALIDATE CONSTRAINT "social_accounts_health_words";
--> statement-breakpoint
ALTER TABLE "mrr_movements" VALIDATE CONSTRAINT "mrr_movements_kind_words", VALIDATE CONSTRAINT "mrr_movements_from_plan_words", VALIDATE CONSTRAINT "mrr_movements_to_plan_words";
--> statement-breakpoint
ALTER TABLE "subscription_orders" VALIDATE CONSTRAINT "subscription_orders_plan_words", VALIDATE CONSTRAINT "subscription_orders_action_words", VALIDATE CONSTRAINT "subscription_orders_status_words", VALIDATE CONSTRAINT "subscription_orders_currency_words";
--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_plan_words", VALIDATE CONSTRAINT "subscriptions_status_words", VALIDATE CONSTRAINT "subscriptions_payment_problem_words";