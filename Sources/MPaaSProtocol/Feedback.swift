/// The stage that a piece of feedback has reached.
package enum FeedbackState: String, Codable, Sendable, CaseIterable {
  /// An operator has not answered yet.
  case open
  /// An operator has answered.
  case answered
  /// Nothing more is to be done about it.
  case closed
}

/// The feedback of a user as a device sends it.
package struct FeedbackReport: Codable, Sendable, Equatable {
  /// Made once by the device; sent twice, it is stored once and answered alike.
  package var id: String
  /// The word by which the device asks for replies later; the server keeps its digest only.
  package var secret: String
  package var category: String
  package var text: String
  /// An address or number by which the user wants to be reached.
  package var contact: String?
  /// The user who is signed in, and the user's number.
  package var user: String?
  package var mobile: String?
  package var device: String
  package var version: String
  /// The language of the user, as BCP 47 has it.
  package var locale: String?
  /// Further facts about the device: model, system, network ….
  package var facts: [String: String]
  package var pictures: [FeedbackPicture]
  /// The window of logs that the user gives with it; nil for none.
  package var logs: FeedbackLogs?
  /// Seconds since 1970, by the device's clock.
  package var created: Double

  package init(
    id: String, secret: String, category: String, text: String, device: String, version: String = "",
    facts: [String: String] = [:], pictures: [FeedbackPicture] = [], created: Double
  ) {
    self.id = id
    self.secret = secret
    self.category = category
    self.text = text
    self.device = device
    self.version = version
    self.facts = facts
    self.pictures = pictures
    self.created = created
  }
}

/// A picture of feedback, which comes as an upload of its own.
package struct FeedbackPicture: Codable, Sendable, Equatable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var size: Int64
  /// The digest of the whole file, in lower-case hexadecimal.
  package var sha256: String
  /// The upload that has brought it; nil on its way, and from devices.
  package var upload: String?

  package init(name: String, type: String, size: Int64, sha256: String, upload: String? = nil) {
    self.name = name
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.upload = upload
  }

  /// The batch of the upload that brings a picture, by which the server finds it.
  package static func batch(_ feedback: String, _ index: Int) -> String { "feedback-\(feedback)-\(index)" }
}

/// The window of time of logs, in seconds since 1970.
package struct FeedbackLogs: Codable, Sendable, Equatable {
  package var from: Double
  package var to: Double

  package init(from: Double, to: Double) {
    self.from = from
    self.to = to
  }

  /// The collection task that asks the device for them.
  package static func task(_ feedback: String) -> String { "feedback-\(feedback)" }
}

/// An operator's reply to feedback, or a change of its state.
package struct FeedbackMessage: Codable, Sendable, Equatable {
  /// Later ones have higher numbers, over all feedback.
  package var number: Int64
  /// The ID that the device gave the feedback.
  package var feedback: String
  /// The name of the operator's token; devices are not told.
  package var author: String?
  /// nil where only the state changed.
  package var text: String?
  package var state: FeedbackState
  /// Seconds since 1970.
  package var time: Double

  package init(
    number: Int64, feedback: String, author: String? = nil, text: String?, state: FeedbackState, time: Double
  ) {
    self.number = number
    self.feedback = feedback
    self.author = author
    self.text = text
    self.state = state
    self.time = time
  }
}

/// The replies to a device's feedback, the oldest first.
package struct FeedbackReplies: Codable, Sendable, Equatable {
  package var messages: [FeedbackMessage]
  /// The number to ask behind the next time.
  package var next: Int64
  /// Tells whether more are there already.
  package var more: Bool

  package init(messages: [FeedbackMessage], next: Int64, more: Bool) {
    self.messages = messages
    self.next = next
    self.more = more
  }

  /// The field of requests that bears the device's secret.
  package static let secretField = "Feedback-Secret"
}

/// A reply, a new state, or both, as an operator sends them.
package struct FeedbackAnswer: Codable, Sendable, Equatable {
  /// Made by the caller, so that a second attempt changes nothing.
  package var id: String?
  package var text: String?
  /// nil becomes `answered`.
  package var state: FeedbackState?

  package init(id: String? = nil, text: String? = nil, state: FeedbackState? = nil) {
    self.id = id
    self.text = text
    self.state = state
  }
}

/// Feedback as operators see it.
package struct FeedbackEntry: Codable, Sendable, Equatable {
  /// The number by which operators name it.
  package var number: Int64
  package var id: String
  package var app: String
  package var state: FeedbackState
  package var category: String
  package var text: String
  package var contact: String?
  package var user: String?
  package var mobile: String?
  package var device: String
  package var version: String
  package var locale: String?
  package var facts: [String: String]
  package var pictures: [FeedbackPicture]
  /// The collection task for the user's logs.
  package var task: String?
  /// Seconds since 1970: by the device's clock, by the server's, and of the last change.
  package var created: Double
  package var received: Double
  package var updated: Double
  package var messages: [FeedbackMessage]

  package init(number: Int64, _ report: FeedbackReport, app: String, received: Double) {
    self.number = number
    self.app = app
    (id, state, category, text) = (report.id, .open, report.category, report.text)
    (contact, user, mobile, device) = (report.contact, report.user, report.mobile, report.device)
    (version, locale, facts, pictures) = (report.version, report.locale, report.facts, report.pictures)
    task = nil
    created = report.created
    self.received = received
    updated = received
    messages = []
  }
}

/// A part of the list of feedback, the newest first; the next one is asked for with `before` and the last one's number.
package struct FeedbackPage: Codable, Sendable, Equatable {
  package var feedback: [FeedbackEntry]

  package init(feedback: [FeedbackEntry]) { self.feedback = feedback }
}
