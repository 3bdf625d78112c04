#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// The list of languages of which a user chooses one; it may be pushed or presented.
  public final class LanguageController: UITableViewController {
    private let context: MobileContext
    private var rows: [LanguagePage.Row] = []

    /// Makes the page for the languages of a context.
    public init(_ context: MobileContext) {
      self.context = context
      #if os(tvOS)
        super.init(style: .grouped)
      #else
        super.init(style: .insetGrouped)
      #endif
      reload()
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    private func reload() {
      let locale = context.languages.current?.tag
      let language = TextLanguage(locale: locale)
      rows = LanguagePage.rows(context.languages, in: language)
      title = ConsoleText("Language", "语言").text(in: language)
      tableView.reloadData()
    }

    public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    public override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
      let row = rows[indexPath.row]
      var content = cell.defaultContentConfiguration()
      content.text = row.title
      cell.contentConfiguration = content
      cell.accessoryType = row.isChosen ? .checkmark : .none
      return cell
    }

    public override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      _ = try? context.speak(rows[indexPath.row].language)
      reload()
    }
  }

  /// The name that projects of the old kit know the page by.
  public typealias MPLanguageManageController = LanguageController
#endif
