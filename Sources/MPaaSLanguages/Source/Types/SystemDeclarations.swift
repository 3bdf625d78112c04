extension SwiftDeclarations {
  /// The functions of Apple's frameworks whose labeled arguments are keys, as they are declared there.
  ///
  /// Those that take a key as their first argument, without a label, are in ``TextFunctions``.
  static let system = SwiftDeclarations(framework: foundation + appIntents)

  /// The same for SwiftUI.
  static let swiftUI = SwiftDeclarations(framework: views)

  private static let foundation = """
    struct String { init(localized: LocalizedStringResource) }
    struct AttributedString { init(localized: LocalizedStringResource) }

    """

  private static let appIntents = """
    struct Parameter {
      init(title: LocalizedStringResource, description: LocalizedStringResource, default: Any, inclusiveRange: Any,
        controlStyle: Any, requestValueDialog: IntentDialog, requestDisambiguationDialog: IntentDialog,
        inputConnectionBehavior: Any, capitalizationType: Any, supportedContentTypes: Any, optionsProvider: Any,
        resolvers: Any, query: Any)
      init(description: LocalizedStringResource, default: Any, inclusiveRange: Any, requestValueDialog: IntentDialog,
        optionsProvider: Any, query: Any)
      init(requestValueDialog: IntentDialog, optionsProvider: Any, query: Any)
    }
    struct Property { init(title: LocalizedStringResource, indexingKey: Any) }
    struct ComputedProperty { init(title: LocalizedStringResource, indexingKey: Any) }
    struct Summary { init(_ text: LocalizedStringKey, table: String) }
    struct IntentDescription {
      init(_ text: LocalizedStringResource, categoryName: LocalizedStringResource,
        searchKeywords: [LocalizedStringResource], resultValueName: LocalizedStringResource)
    }
    struct IntentDialog {
      init(_ text: LocalizedStringResource)
      init(full: LocalizedStringResource, supporting: LocalizedStringResource, systemImageName: String)
      init(stringLiteral: LocalizedStringResource)
    }
    struct TypeDisplayRepresentation {
      init(name: LocalizedStringResource, numericFormat: LocalizedStringResource, synonyms: [LocalizedStringResource])
      init(stringLiteral: LocalizedStringResource)
    }
    struct DisplayRepresentation {
      init(title: LocalizedStringResource, subtitle: LocalizedStringResource, image: Any,
        synonyms: [LocalizedStringResource], descriptionText: LocalizedStringResource)
      init(stringLiteral: LocalizedStringResource)
    }
    struct AppShortcut {
      init(intent: Any, phrases: Any, shortTitle: LocalizedStringResource, systemImageName: String,
        parameterPresentation: Any)
    }
    struct ItemCollection {
      init(promptLabel: LocalizedStringResource, usesIndexedCollation: Bool, sections: Any, items: Any)
    }
    struct IntentItemCollection {
      init(promptLabel: LocalizedStringResource, usesIndexedCollation: Bool, sections: Any, items: Any)
    }
    struct ItemSection {
      init(_ title: LocalizedStringResource, subtitle: LocalizedStringResource, image: Any, items: Any)
      init(title: LocalizedStringResource, subtitle: LocalizedStringResource, image: Any, items: Any)
    }
    struct IntentItemSection { init(_ title: LocalizedStringResource, items: Any) }
    struct IntentItem {
      init(_ value: Any, title: LocalizedStringResource, subtitle: LocalizedStringResource, image: Any)
    }
    func result(value: Any, opensIntent: Any, actionButtonIntent: Any, dialog: IntentDialog, content: Any, view: Any)
    func needsValueError(_ dialog: IntentDialog)
    func requestValue(_ dialog: IntentDialog)
    func requestDisambiguation(among: Any, dialog: IntentDialog)
    func needsDisambiguationError(among: Any, dialog: IntentDialog)
    func requestConfirmation(for: Any, dialog: IntentDialog)
    func requestConfirmation(actionName: Any, dialog: IntentDialog, showDialogAsPrompt: Bool)
    func requestConfirmation(conditions: Any, actionName: Any, dialog: IntentDialog, showDialogAsPrompt: Bool)
    func requestConfirmation(result: Any, confirmationActionName: Any, showPrompt: Bool)
    """

  private static let views = """
    func searchable(text: Any, tokens: Any, suggestedTokens: Any, isPresented: Any, placement: Any,
      prompt: LocalizedStringKey)
    func searchable(text: Any, editableTokens: Any, isPresented: Any, placement: Any, prompt: LocalizedStringKey)
    struct Alert {
      init(title: Text, message: Text, dismissButton: Any)
      init(title: Text, message: Text, primaryButton: Any, secondaryButton: Any)
    }
    struct ActionSheet { init(title: Text, message: Text, buttons: Any) }
    struct ContentUnavailableView { init(_ title: LocalizedStringKey, image: Any, systemImage: Any, description: Text) }
    struct TextField { init(_ title: LocalizedStringKey, text: Any, prompt: Text, axis: Any, selection: Any) }
    struct SecureField { init(_ title: LocalizedStringKey, text: Any, prompt: Text) }
    struct Picker { init(selection: Any, label: Text, content: Any) }
    struct Section { init(header: Text, footer: Text, content: Any) }
    struct Toggle { init(isOn: Any, label: Text) }
    """

  /// The same for Swift Charts, whose `.value("Date", date)` is too common a name where they are not imported.
  static let charts = SwiftDeclarations(
    framework: "func value(_ label: LocalizedStringKey, _ value: Any, unit: Any, calendar: Any)")
}
