/// A function whose calls ask for texts.
struct TextFunction: Sendable {
  /// The text that must stand before its name.
  enum Before: Sendable { case anything, dot, noDot }

  let name: [UInt8]
  /// The roles of its arguments, in their order; labels of Swift come before that.
  let roles: [ArgumentRole]
  /// The label that its first argument must have to be a call of this function.
  var firstLabel: [UInt8]?
  var before = Before.anything
  /// Tells whether a key that is no literal is worth a warning; SwiftUI shows other strings as they are.
  var warns = true
  /// Tells whether an interpolated key is a key with specifiers.
  var interpolates = false
  /// Tells whether its first argument must have no label.
  var isUnlabelled = false
  /// Tells whether it follows its key: `"key".localized`.
  var isPostfix = false

  /// Tells whether it is a part of a message's selector, so that its arguments have labels behind it.
  let isMessage: Bool

  init(_ name: String, _ roles: [ArgumentRole]) {
    self.name = Array(name.utf8)
    isMessage = name == "localizedStringForKey"
    self.roles = roles
  }
}

/// The functions of a language, found by name.
struct TextFunctions: Sendable {
  /// For each first byte, the lengths (up to 63) of the names that begin with it: nearly all words fail here.
  let masks: [UInt64]
  let all: [TextFunction]
  /// For each first byte, where in `all` the names that begin with it stand.
  let byFirst: [[Int]]
  /// The function that a literal is an argument of whose type makes it a key: where it stands in `all`.
  let key: Int?
  /// Names of functions whose first argument without a label is a key.
  let unlabeled: Set<String>

  init(_ language: SourceLanguage, _ options: ExtractionOptions) {
    var all = language == .swift ? Self.swift : Self.c
    if language == .swift, options.includesSwiftUI { all += Self.swiftUI }
    let wrappers = options.wrappers.map { wrapper in
      var function = TextFunction(wrapper.name, wrapper.roles)
      function.isPostfix = wrapper.isPostfix
      if wrapper.isPostfix { function.before = .dot }
      return function
    }
    let names = Set(wrappers.map(\.name))
    // The functions that the user names come first.
    self.all = wrappers + all.filter { !names.contains($0.name) }
    var masks = [UInt64](repeating: 0, count: 256)
    var byFirst = [[Int]](repeating: [], count: 256)
    for (index, function) in self.all.enumerated() {
      guard let first = function.name.first else { continue }
      masks[Int(first)] |= 1 << UInt64(min(function.name.count, 63))
      byFirst[Int(first)].append(index)
    }
    self.masks = masks
    self.byFirst = byFirst
    key = self.all.firstIndex { $0.name.elementsEqual("LocalizedStringResource".utf8) }
    unlabeled = Set(self.all.filter { $0.firstLabel == nil }.map { String(decoding: $0.name, as: UTF8.self) })
  }

  private static var swift: [TextFunction] {
    var functions = [TextFunction("NSLocalizedString", [.key])]
    for name in ["String", "AttributedString", "init"] {
      var function = TextFunction(name, [.key])
      function.firstLabel = Array("localized".utf8)
      function.before = name == "init" ? .dot : .anything
      function.interpolates = true
      functions.append(function)
    }
    for name in ["LocalizedStringKey", "LocalizedStringResource", "LocalizationValue"] {
      var function = TextFunction(name, [.key])
      function.interpolates = true
      functions.append(function)
    }
    for (name, label) in [("localizedString", "forKey"), ("localizedUserNotificationString", "forKey")] {
      var function = TextFunction(name, [.key])
      function.firstLabel = Array(label.utf8)
      function.before = .dot
      functions.append(function)
    }
    // `L10n.tr("Localizable", "key", fallback: "Text")` of SwiftGen's templates.
    var generated = TextFunction("tr", [.table, .key])
    generated.before = .dot
    generated.warns = false
    functions.append(generated)
    return functions + c.filter { $0.name.starts(with: "CF".utf8) }
  }

  private static var c: [TextFunction] {
    var functions: [TextFunction] = []
    for prefix in ["NSLocalizedString", "NSLocalizedAttributedString", "CFCopyLocalizedString"] {
      functions += [
        TextFunction(prefix, [.key, .comment]),
        TextFunction(prefix + "FromTable", [.key, .table, .comment]),
        TextFunction(prefix + "FromTableInBundle", [.key, .table, .other, .comment]),
        TextFunction(prefix + "WithDefaultValue", [.key, .table, .other, .value, .comment]),
      ]
    }
    functions.append(TextFunction("localizedStringForKey", [.key, .value, .table]))
    return functions
  }

  private static var swiftUI: [TextFunction] {
    let views = [
      "Text", "Label", "Button", "Toggle", "Picker", "Section", "NavigationLink", "TextField", "SecureField", "Menu",
      "Link", "Stepper", "DatePicker", "MultiDatePicker", "ColorPicker", "ProgressView", "GroupBox", "DisclosureGroup",
      "LabeledContent", "ContentUnavailableView", "CommandMenu", "WindowGroup", "Window", "ShareLink", "Tab", "Gauge",
      "PasteButton", "RenameButton", "ControlGroup", "TableColumn", "TextFieldLink", "DocumentGroup", "MenuBarExtra",
      "TabSection", "Form", "PhotosPicker", "SubscriptionStoreButton", "ControlWidgetToggle",
      "ControlWidgetButton",
    ]
    let modifiers = [
      "navigationTitle", "navigationSubtitle", "navigationBarTitle", "alert", "confirmationDialog", "help", "badge",
      "accessibilityLabel", "accessibilityHint", "accessibilityValue", "accessibilityAction", "accessibilityRotor",
      "accessibilityCustomContent", "dialogSuppressionToggle", "configurationDisplayName", "description",
      "fileDialogConfirmationLabel", "fileDialogMessage", "tabItemTitle", "displayName",
    ]
    return views.map { view($0, .noDot) } + modifiers.map { view($0, .dot) }
  }

  private static func view(_ name: String, _ before: TextFunction.Before) -> TextFunction {
    var function = TextFunction(name, [.key])
    function.before = before
    function.warns = false
    function.interpolates = true
    function.isUnlabelled = true
    return function
  }
}
