/// The form as an app draws it: its fields with their words in a language, and what is wrong with what was entered.
public struct FeedbackFormModel: Sendable {
  /// The categories that the user chooses from, in their order.
  public var categories: [FeedbackCategory]
  /// Tells whether the user may give logs, too.
  public var offersLogs: Bool
  /// The most pictures.
  public static let mostPictures = 9
  /// The most characters of the text, and its most bytes in UTF-8.
  public static let longestText = 5000
  static let largestText = 20_000

  /// Creates a model.
  public init(categories: [FeedbackCategory] = FeedbackCategory.usual, offersLogs: Bool = true) {
    self.categories = categories
    self.offersLogs = offersLogs
  }

  /// The fields in the order in which they are drawn.
  ///
  /// - Parameter language: A tag such as `zh-Hans-CN`; English stands in where there are no words for it.
  public func fields(in language: String) -> [FeedbackField] {
    FeedbackField.Name.allCases.filter { $0 != .logs || offersLogs }.map { name in
      FeedbackField(
        name: name, kind: kind(name), title: FeedbackWords.text("title-\(name.rawValue)", language),
        hint: FeedbackWords.text("hint-\(name.rawValue)", language), isRequired: [.category, .text].contains(name),
        limit: limit(name))
    }
  }

  private func kind(_ name: FeedbackField.Name) -> FeedbackField.Kind {
    switch name {
    case .category: .choice(categories)
    case .text: .longText
    case .contact: .text
    case .pictures: .pictures
    case .logs: .toggle
    }
  }

  private func limit(_ name: FeedbackField.Name) -> Int? {
    switch name {
    case .text: Self.longestText
    case .contact: 100
    case .pictures: Self.mostPictures
    case .category, .logs: nil
    }
  }

  /// The reasons why a form cannot be sent, in the order of its fields; none where it can.
  public func problems(of form: FeedbackForm) -> [FeedbackProblem] {
    var problems: [FeedbackProblem] = []
    if !categories.contains(where: { $0.id == form.category }) { problems.append(.categoryUnknown) }
    if form.text.allSatisfy(\.isWhitespace) { problems.append(.textMissing) }
    if form.text.count > Self.longestText || form.text.utf8.count > Self.largestText { problems.append(.textTooLong) }
    if form.contact.count > 100 || form.contact.utf8.count > 300 { problems.append(.contactTooLong) }
    if form.pictures.count > Self.mostPictures { problems.append(.picturesTooMany) }
    if form.userID?.utf8.count ?? 0 > 300 || form.mobileNumber?.utf8.count ?? 0 > 40 { problems.append(.userTooLong) }
    return problems
  }

  /// The sentence for a problem.
  public func message(_ problem: FeedbackProblem, in language: String) -> String {
    FeedbackWords.text("problem-\(problem.rawValue)", language)
  }
}

/// A field of the form.
public struct FeedbackField: Sendable, Hashable, Identifiable {
  /// The fields that there are.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// The subject.
    case category
    /// The user's words.
    case text
    /// An address or number.
    case contact
    /// Pictures of the screen or of things.
    case pictures
    /// The consent to send logs.
    case logs
  }

  /// The look of a field.
  public enum Kind: Sendable, Hashable {
    /// One of these.
    case choice([FeedbackCategory])
    /// Several lines.
    case longText
    /// One line.
    case text
    /// Pictures to pick.
    case pictures
    /// A switch, off at first.
    case toggle
  }

  /// The field's name.
  public let name: Name
  /// The field's look.
  public let kind: Kind
  /// The words beside it.
  public let title: String
  /// The words in it while it is empty, or below it.
  public let hint: String
  /// Tells whether it must not be empty.
  public let isRequired: Bool
  /// The most characters or pictures; nil where nothing is counted.
  public let limit: Int?

  /// The field's name.
  public var id: Name { name }
}

/// A reason why a form cannot be sent.
public enum FeedbackProblem: String, Sendable, Hashable, CaseIterable {
  /// The category is none of the form's.
  case categoryUnknown = "category-unknown"
  /// There are no words.
  case textMissing = "text-missing"
  /// There are too many words.
  case textTooLong = "text-too-long"
  /// The address or number is too long.
  case contactTooLong = "contact-too-long"
  /// There are too many pictures.
  case picturesTooMany = "pictures-too-many"
  /// The user's ID or number is none.
  case userTooLong = "user-too-long"
}

/// The form's words in both languages.
enum FeedbackWords {
  /// The language that there are words in: `zh-Hans` for all of Chinese, else `en`.
  static func language(_ tag: String) -> String {
    let start = tag.prefix { $0 != "-" && $0 != "_" }
    return start.lowercased() == "zh" ? "zh-Hans" : "en"
  }

  static func text(_ key: String, _ tag: String) -> String {
    let words = language(tag) == "en" ? english : chinese
    return words[key] ?? key
  }

  static let english = [
    "title-category": "Subject", "hint-category": "What is it about?",
    "title-text": "Your feedback", "hint-text": "Tell us what happened, and what you expected.",
    "title-contact": "Contact", "hint-contact": "Phone or e-mail, if we may ask you back (optional)",
    "title-pictures": "Pictures", "hint-pictures": "Up to 9 pictures; where they were taken is not sent.",
    "title-logs": "Send logs", "hint-logs": "Logs of the last day help us to find the cause.",
    "problem-category-unknown": "Choose a subject.", "problem-text-missing": "Write a few words.",
    "problem-text-too-long": "That is too long: at most 5000 characters.",
    "problem-contact-too-long": "The contact is too long: at most 100 characters.",
    "problem-pictures-too-many": "At most 9 pictures.", "problem-user-too-long": "The user's ID or number is too long.",
  ]

  static let chinese = [
    "title-category": "反馈类型", "hint-category": "请选择反馈类型",
    "title-text": "反馈内容", "hint-text": "请描述遇到的问题，以及您期望的结果",
    "title-contact": "联系方式", "hint-contact": "手机号或邮箱，方便我们联系您（选填）",
    "title-pictures": "图片", "hint-pictures": "最多 9 张，不会上传拍摄位置",
    "title-logs": "附带日志", "hint-logs": "最近一天的日志有助于我们定位问题",
    "problem-category-unknown": "请选择反馈类型。", "problem-text-missing": "请填写反馈内容。",
    "problem-text-too-long": "反馈内容过长，最多 5000 个字。", "problem-contact-too-long": "联系方式过长，最多 100 个字。",
    "problem-pictures-too-many": "最多上传 9 张图片。", "problem-user-too-long": "用户 ID 或手机号过长。",
  ]
}
