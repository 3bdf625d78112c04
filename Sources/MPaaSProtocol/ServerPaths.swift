/// The paths of the server.
package enum ServerPaths {
  /// Resumable uploads: tus 1.0 and the IETF draft, told apart by their headers.
  package static let uploads = "/uploads"
  /// One crash report as the body of a POST, in any format that the kit reads.
  package static let crashes = "/api/v1/crashes"
  /// A batch of records of monitor points (`RecordBatch`).
  package static let records = "/api/v1/records"
  /// That an app is alive (`AliveReport`).
  package static let alive = "/api/v1/alive"
  /// Ends of apps' runs (`TerminationReport`); GET counts them by version and reason.
  package static let terminations = "/api/v1/terminations"
  /// Collection tasks: POST makes one, GET lists them; `/ID` is one of them, PATCH changes its state.
  package static let tasks = "/api/v1/tasks"
  /// Feedback of users: POST takes a `FeedbackReport`, GET lists; `/NUMBER` is one, `/NUMBER/messages` takes a reply.
  package static let feedback = "/api/v1/feedback"
  /// The replies to a device's feedback, for its secret.
  package static let feedbackReplies = "/api/v1/feedback-replies"
  /// All feedback that a filter lets pass, as CSV or a JSON object a line.
  package static let feedbackExport = "/api/v1/feedback-export"
  /// The badges of a user, for apps; `/ack` takes the widgets that were tapped.
  package static let badges = "/api/v1/badges"
  /// Badges by their targets, for operators: POST sends, GET lists, DELETE takes away.
  package static let badgeTargets = "/api/v1/badge-targets"
  /// Installations for notifications: apps POST a `PushInstallation` and DELETE `/ID`, operators list.
  package static let pushInstallations = "/api/v1/push/installations"
  /// Refusals of notifications (`PushRefusals`), which end tokens.
  package static let pushOutcomes = "/api/v1/push/outcomes"
  /// Campaigns: `POST` creates one, `GET` lists them.
  package static let pushCampaigns = "/api/v1/push/campaigns"
  /// The path of the server's counts: accepted, refused by reason, queues, sizes.
  package static let statistics = "/api/v1/statistics"
  /// That the server answers; needs no token.
  package static let health = "/health"
  /// Sentry's envelopes are at `/api/PROJECT/envelope/`, its old events at `/api/PROJECT/store/`; any project number.
  package static let sentry = "/api"
}

/// Metadata keys of uploads (tus `Upload-Metadata`), by which the server knows what a file is.
package enum UploadMetadata {
  package static let filename = "filename"
  package static let type = "filetype"
  /// `log`, `crash` or `file`.
  package static let kind = "kind"
  /// The whole file's SHA-256 in lower-case hexadecimal: a mismatch is never published.
  package static let sha256 = "sha256"
  /// The batch that this file is; sent twice, it is stored once, and answered alike.
  package static let batch = "batch"
  package static let user = "user"
  package static let device = "device"
  package static let app = "app"
  /// The collection task that it answers.
  package static let task = "task"
}
