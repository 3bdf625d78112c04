extension FrameworkError.Code {
  /// A language in which the app has no texts.
  public static let languageUnknown = FrameworkError.Code(
    "language-unknown",
    en: "The app has no texts in {name}{suggestion}.",
    enHelp: "Its languages are {known}.",
    zh: "应用没有 {name} 的文本{suggestion}。",
    zhHelp: "可用的语言有 {known}。")
  /// A folder of texts that is not there, or holds none.
  public static let languageBundleMissing = FrameworkError.Code(
    "language-bundle-missing",
    en: "There are no tables of texts in {name}.",
    enHelp: "It should hold a file for each language, as zh_CN.strings, and be among the app's resources.",
    zh: "{name} 中没有文本表。",
    zhHelp: "其中应为每种语言放一个文件，如 zh_CN.strings，并加入应用的资源。")
  /// A table of texts that cannot be read.
  public static let languageTableMalformed = FrameworkError.Code(
    "language-table-malformed",
    en: "{name} is no table of texts: {reason}.",
    enHelp: "mpaas plist lint says where it breaks.",
    zh: "{name} 不是文本表：{reason}。",
    zhHelp: "mpaas plist lint 会指出出错的位置。")
}
