import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// Markup of pages: whatever comes from outside is escaped here.
enum HTML {
  /// A text as it stands in markup and in attributes; control characters, and those that turn the writing direction,
  /// are shown.
  static func escaped(_ text: String) -> String {
    ReportLine(text).text.escapedMarkup(.html)
  }

  /// A text of several lines, for where white space is kept.
  static func lines(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return escaped(text) }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { escaped(String($0)) }
      .joined(separator: "\n")
  }

  /// A link; `path` is ours, with what comes from outside in it escaped for addresses.
  static func link(_ path: String, _ text: String) -> String { "<a href=\"\(escaped(path))\">\(escaped(text))</a>" }

  /// The text between two slashes of an address.
  static func segment(_ text: String) -> String { PercentEncoding.encode(text, keeping: ":") }

  /// A point in time, in UTC.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0, seconds < 1e11 else { return "–" }
    let text = CrashReport.Timestamp(seconds: Int64(seconds)).text(digits: 0)
    // `2026-01-01 00:00:00 +0000`
    let plain = text.prefix(19)
    return "<time datetime=\"\(plain.prefix(10))T\(plain.suffix(8))Z\">\(plain)</time>"
  }

  /// A table; its cells are markup.
  ///
  /// - Parameter isList: Tells whether it has many columns, which are read to the side on a phone.
  static func table(_ head: [String], _ rows: [[String]], isList: Bool = false) -> String {
    // The keyboard has to reach a table that is read to the side.
    let label = escaped(head.filter { !$0.isEmpty }.joined(separator: ", "))
    let region = "tabindex=0 role=group aria-label=\"\(label)\""
    let head = head.map { $0.isEmpty ? "<td></td>" : "<th>\(escaped($0))</th>" }.joined()
    let body = rows.map { "<tr>\($0.map { "<td>\($0)</td>" }.joined())</tr>" }.joined(separator: "\n")
    let style = isList ? " class=list" : ""
    return "<div class=wide \(region)><table\(style)><thead><tr>\(head)</tr></thead><tbody>\n\(body)\n</tbody></table>"
      + "</div>"
  }
}

/// The pages' words, and what they have in common.
struct PageFrame: Sendable {
  let catalogue: Catalogue

  /// The parts of the console, by the keys of their names.
  private static let sections = [
    ("crashes", "/"), ("issues", "/issues"), ("releases", "/releases"), ("patches", "/patches"),
    ("symbols", "/symbols"), ("builds", "/builds"), ("modules", "/modules"), ("flags", "/flags"),
    ("feedback", "/feedback"), ("campaigns", "/campaigns"), ("uploads", "/files"), ("tasks", "/tasks"),
    ("statistics", "/statistics"), ("alerts", "/alerts"), ("people", "/people"), ("account", "/account"),
  ]

  /// A text of the catalogue.
  func word(_ key: String, _ values: [String: String] = [:]) -> String { catalogue.text("page.\(key)", values) }

  /// The same, escaped.
  func text(_ key: String, _ values: [String: String] = [:]) -> String { HTML.escaped(word(key, values)) }

  func navigation(_ section: String) -> String {
    let links = Self.sections.map { key, path in
      "<a href=\"\(path)\"\(key == section ? " aria-current=page" : "")>\(text(key))</a>"
    }
    return "<nav>\(links.joined(separator: "\n"))</nav>"
  }

  /// A whole page.
  func page(_ title: String, section: String, _ body: [String]) -> String {
    """
    <!doctype html>
    <html lang="\(catalogue.language.rawValue)"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer"><title>\(HTML.escaped(title)) · mpaas</title>
    <style>\(Self.style)</style></head><body><main>
    \(section.isEmpty ? "" : navigation(section))
    <h1>\(HTML.escaped(title))</h1>
    \(body.filter { !$0.isEmpty }.joined(separator: "\n"))
    </main></body></html>

    """
  }

  func empty(_ key: String) -> String { "<p class=none>\(text(key))</p>" }

  static let style = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1d1d1f;--dim:#6e6e73;--line:#e3e3e8;--card:#f6f6f8;--own:#0b57d0;--bad:#c5221f}
    @media(prefers-color-scheme:dark){:root{--bg:#161618;--fg:#ececf0;--dim:#9a9aa2;--line:#323238;--card:#1f1f23;--own:#8ab4f8;--bad:#ff8a80}}
    *{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Noto Sans CJK SC",sans-serif}
    main{max-width:1200px;margin:0 auto;padding:16px 16px 64px}h1{font-size:1.35rem;margin:16px 0}h2{font-size:1.05rem;margin:28px 0 8px}
    \(navigationStyle)
    .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:7px 12px 7px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
    th{color:var(--dim);font-weight:400;white-space:nowrap}td small,.none{color:var(--dim)}time,.n{white-space:nowrap;font-variant-numeric:tabular-nums}
    code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    .card{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:end;padding:12px 16px;background:var(--card);border-radius:10px;margin:0 0 20px}
    label{display:grid;grid-template-columns:minmax(0,auto);gap:2px;color:var(--dim);font-size:13px}input,select,textarea,button{font:inherit;color:inherit;padding:6px 10px;background:var(--bg);border:1px solid var(--line);border-radius:8px}
    button{cursor:pointer;background:var(--own);color:#fff;border:0}.bad{color:var(--bad)}button.plain{background:none;color:var(--own);padding:0}
    @media(prefers-color-scheme:dark){button{color:#161618}}pre{margin:4px 0;overflow-x:auto;font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    .leaf td{white-space:pre-wrap;padding:3px 12px 3px 0}.leaf td:first-child{color:var(--dim);width:14em;max-width:45vw}.frame{border-left:3px solid var(--line);padding:2px 0 2px 10px;margin:0 0 8px}.own{border-color:var(--own)}mark{background:var(--card);color:var(--bad)}
    p a{text-decoration:underline}a.button{text-decoration:none;display:inline-block;padding:10px 20px;background:var(--own);color:var(--bg);border-radius:10px}.qr{display:block;width:240px;max-width:100%;height:auto}
    .mods{list-style:none;padding:0}.mods li{padding:10px 0;border-bottom:1px solid var(--line)}.mods p{margin:2px 0 0}.pick{display:inline-flex;gap:8px;align-items:center;margin-right:12px;color:inherit;font-size:inherit}
    main{overflow-wrap:anywhere}label,input,select,textarea{max-width:100%}.list{min-width:760px}
    """

  /// The styles that pages of other make need of it.
  static let navigationStyle = """
    nav{display:flex;flex-wrap:wrap;gap:4px 18px;padding:8px 0;border-bottom:1px solid var(--line)}a{color:var(--own);text-decoration:none}a:hover{text-decoration:underline}nav a[aria-current]{color:inherit;font-weight:600}
    """
}
