import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The page that a phone installs a build from, and the list of it that iOS reads, as functions of what they show.
struct InstallPages: Sendable {
  let frame: PageFrame

  /// A build at the address of its link.
  struct Subject: Sendable {
    var build: BuildEntry
    /// The address of the link, without a slash at its end.
    var url: String
    /// The end of the link, and the present, in seconds since 1970.
    var expires: Double
    var now: Double

    /// The address of the file.
    var file: String { "\(url)/app.\(build.kind)" }
  }

  func page(_ subject: Subject) -> String {
    let build = subject.build
    let isForApple = build.kind == "ipa"
    let list = PercentEncoding.encode(subject.url + "/manifest.plist")
    let address = isForApple ? "itms-services://?action=download-manifest&url=\(list)" : subject.file
    let doubts =
      frame.doubts(of: build, at: subject.now)
      + (frame.isTooOpen(subject.url, for: build) ? [frame.word("build-insecure")] : [])
    let known = [
      ("column-version", HTML.escaped(build.versionAndBuild)),
      ("column-minimum", HTML.escaped(frame.system(of: build))),
      ("column-size-of-build", ByteCount(UInt64(clamping: build.size)).description),
      ("column-identifier", HTML.escaped(build.identifier)),
      ("column-added", HTML.time(build.added)), ("column-link-end", HTML.time(subject.expires)),
    ]
    return frame.page(
      build.name, section: "",
      [
        "<p><a class=button href=\"\(HTML.escaped(address))\">\(frame.text("install"))</a></p>",
        doubts.map { "<p class=bad>\(HTML.escaped($0))</p>" }.joined(),
        frame.facts(known.filter { !$0.1.isEmpty }),
        "<p class=none>\(frame.text(isForApple ? "install-help-ipa" : "install-help-apk"))</p>",
      ])
  }

  /// The page of a link that leads nowhere.
  func unknown() -> String {
    frame.page(frame.word("install-unknown"), section: "", ["<p>\(frame.text("install-unknown-help"))</p>"])
  }

  /// The list of what iOS is to install.
  ///
  /// - Source: Apple, "Distribute proprietary in-house apps to Apple devices".
  static func manifest(_ subject: Subject) -> String {
    let build = subject.build
    func text(_ text: String) -> String { "<string>\(HTML.escaped(text))</string>" }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>items</key><array><dict>
      <key>assets</key><array><dict><key>kind</key><string>software-package</string><key>url</key>\(text(subject.file))</dict></array>
      <key>metadata</key><dict><key>bundle-identifier</key>\(text(build.identifier))
      <key>bundle-version</key>\(text(build.build.isEmpty ? build.version : build.build))
      <key>kind</key><string>software</string><key>title</key>\(text(build.name))</dict>
      </dict></array></dict></plist>

      """
  }
}
