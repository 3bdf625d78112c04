extension FrameworkError.Code {
  /// `MPAAS_ENVIRONMENT` names no environment.
  public static let environmentUnknown = FrameworkError.Code(
    "environment-unknown",
    en: "{name} is {value}, which is no environment.",
    enHelp: "It may be dev, test, staging or release.",
    zh: "{name} 的值 {value} 不是有效的环境。",
    zhHelp: "可以是 dev、test、staging 或 release。")
  /// The gateway settings are no property list.
  public static let gatewayUnreadable = FrameworkError.Code(
    "gateway-unreadable",
    en: "{name} is no property list: {reason}.",
    enHelp: "plutil -lint or mpaas plist lint says where it breaks.",
    zh: "{name} 不是属性列表：{reason}。",
    zhHelp: "plutil -lint 或 mpaas plist lint 会指出出错的位置。")
  /// A value of the gateway settings has another type.
  public static let gatewayMalformed = FrameworkError.Code(
    "gateway-malformed",
    en: "{file}: {name} must be {expected}.",
    enHelp: "The file is a dictionary of environments, each a dictionary of strings.",
    zh: "{file}：{name} 的类型不对（应为 {expected}）。",
    zhHelp: "该文件是以环境为键的字典，每个环境是一个字符串字典。")
  /// An address of the gateway settings is none.
  public static let gatewayAddressMalformed = FrameworkError.Code(
    "gateway-address-malformed",
    en: "{file}: {name} is {value}, which is no address.",
    enHelp: "Write it with http:// or https:// and a host.",
    zh: "{file}：{name} 的值 {value} 不是有效的地址。",
    zhHelp: "请写成带主机名的 http:// 或 https:// 地址。")
  /// The gateway settings have nothing for the environment.
  public static let gatewaySectionMissing = FrameworkError.Code(
    "gateway-section-missing",
    en: "{file} has no section {name}; it has {sections}.",
    enHelp: "Add the section, or choose another environment.",
    zh: "{file} 中没有 {name} 小节；现有：{sections}。",
    zhHelp: "请添加该小节，或选择其他环境。")
}
