/// The content of a form by which a user gives feedback.
///
/// ```swift
/// var form = FeedbackForm(parameters: ["userId": "2088001", "mobileNo": "13800000000"])
/// form.text = "The cart is empty after paying."
/// form.pictures.append(try FeedbackImage(jpegBytes))
/// ```
public struct FeedbackForm: Sendable, Hashable {
  /// The ID of a `FeedbackCategory`.
  public var category = FeedbackCategory.problem.id
  /// The words of the user.
  public var text = ""
  /// An address or number by which the user wants to be reached; empty for none.
  public var contact = ""
  /// Pictures, which say nothing of where they were taken.
  public var pictures: [FeedbackImage] = []
  /// Tells whether the user gives the logs of the last hours, too; without this no log is sent.
  public var givesLogs = false
  /// The hours of logs that are given.
  public var logHours = 24
  /// The user who is signed in: `userId` of the old kit; nil for none.
  public var userID: String?
  /// The user's number: `mobileNo` of the old kit; nil for none.
  public var mobileNumber: String?

  /// Creates an empty form.
  public init(userID: String? = nil, mobileNumber: String? = nil) {
    self.userID = userID
    self.mobileNumber = mobileNumber
  }

  /// Creates an empty form from the parameters by which the micro-app of the old kit was started: `userId` and
  /// `mobileNo`, both optional.
  public init(parameters: [String: String]) {
    self.init(userID: parameters["userId"], mobileNumber: parameters["mobileNo"])
  }
}

/// A subject that users choose for their feedback.
public struct FeedbackCategory: Sendable, Hashable, Identifiable {
  /// The word by which operators know it; at most 64 bytes.
  public let id: String
  /// The words that users see, by their language: `en`, `zh-Hans`.
  public let titles: [String: String]

  /// Creates a category of the app's own.
  public init(_ id: String, titles: [String: String]) {
    self.id = id
    self.titles = titles
  }

  /// Something does not work.
  public static let problem = FeedbackCategory("problem", titles: ["en": "Problem", "zh-Hans": "功能异常"])
  /// Something could be better.
  public static let suggestion = FeedbackCategory("suggestion", titles: ["en": "Suggestion", "zh-Hans": "产品建议"])
  /// The user wants to know something.
  public static let question = FeedbackCategory("question", titles: ["en": "Question", "zh-Hans": "使用咨询"])
  /// Anything else.
  public static let other = FeedbackCategory("other", titles: ["en": "Other", "zh-Hans": "其他"])

  /// The categories of an app that has none of its own.
  public static let usual = [problem, suggestion, question, other]

  /// The words for a language; those of English, or else the ID, where there are none.
  public func title(in language: String) -> String {
    titles[FeedbackWords.language(language)] ?? titles["en"] ?? id
  }
}
