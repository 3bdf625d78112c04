import MPaaSProtocol
import MPaaSTerminal

/// The pages of uploads, tasks and statistics.
struct OperatorPages: Sendable {
  let frame: PageFrame

  func uploads(_ uploads: [UploadEntry]) -> String {
    let rows = uploads.map { upload in
      [
        upload.isWhole ? HTML.link("/uploads/\(HTML.segment(upload.id))", upload.name) : HTML.escaped(upload.name),
        HTML.escaped(upload.kind), size(upload), frame.text("upload-\(upload.state)"), HTML.escaped(upload.user),
        HTML.escaped(upload.device), HTML.time(upload.updated),
      ]
    }
    let head = ["file", "kind", "size", "state", "user", "device", "updated"].map { frame.word("column-\($0)") }
    return frame.page(
      frame.word("uploads"), section: "uploads",
      uploads.isEmpty ? [frame.empty("no-uploads")] : [HTML.table(head, rows)])
  }

  private func size(_ upload: UploadEntry) -> String {
    let whole = upload.size.map(String.init) ?? "?"
    return "<span class=n>\(upload.isWhole ? whole : "\(upload.offset) / \(whole)")</span>"
  }

  /// The values that the form that asks for logs is filled with.
  struct TaskForm: Sendable {
    var user = ""
    var device = ""
    var from = ""
    var to = ""
    var types = ""
    /// The fault in it.
    var problem: String?
  }

  func tasks(_ tasks: [CollectionTask], _ form: TaskForm, mayAsk: Bool, hasMore: Bool = false) -> String {
    let rows = tasks.map { task in
      [
        HTML.escaped(task.user) + (task.device.map { "<br><small>\(HTML.escaped($0))</small>" } ?? ""),
        "\(HTML.time(task.from))<br>\(HTML.time(task.to))", frame.text("network-\(task.network.rawValue)"),
        state(task), HTML.time(task.updated), mayAsk && !task.state.isFinal ? cancel(task) : "",
      ]
    }
    let head = ["user", "window", "network", "state", "updated"].map { frame.word("column-\($0)") } + [""]
    let older = tasks.last.map {
      "<p>\(HTML.link("/tasks?before=\(HTML.segment($0.id))", frame.word("older")))</p>"
    }
    return frame.page(
      frame.word("tasks"), section: "tasks",
      [
        mayAsk ? self.form(form) : "", tasks.isEmpty ? frame.empty("no-tasks") : HTML.table(head, rows),
        hasMore ? older ?? "" : "",
      ])
  }

  private func state(_ task: CollectionTask) -> String {
    var lines = [frame.text("task-\(task.state.rawValue)")]
    if task.state == .uploading, let size = task.size { lines.append("<small>\(task.sent ?? 0) / \(size)</small>") }
    if let upload = task.upload, task.state == .done {
      lines.append(HTML.link("/uploads/\(HTML.segment(upload))", frame.word("archive")))
    }
    if let reason = task.reason { lines.append("<small>\(HTML.escaped(reason))</small>") }
    return lines.joined(separator: "<br>")
  }

  private func cancel(_ task: CollectionTask) -> String {
    """
    <form method=post action="/tasks/\(HTML.segment(task.id))/cancel"><button class=plain>\(frame.text("cancel"))</button></form>
    """
  }

  private func form(_ form: TaskForm) -> String {
    func field(_ name: String, _ value: String, _ kind: String, isNeeded: Bool) -> String {
      """
      <label>\(frame.text("field-\(name)"))<input name=\(name) type=\(kind) value="\(HTML.escaped(value))"\(isNeeded ? " required" : "")></label>
      """
    }
    let problem = form.problem.map { "<p class=bad>\(HTML.escaped($0))</p>" } ?? ""
    return """
      \(problem)<form class=card method=post action="/tasks">
      \(field("user", form.user, "text", isNeeded: true))
      \(field("device", form.device, "text", isNeeded: false))
      \(field("from", form.from, "datetime-local", isNeeded: true))
      \(field("to", form.to, "datetime-local", isNeeded: true))
      \(field("types", form.types, "text", isNeeded: false))
      <label>\(frame.text("field-network"))<select name=network><option value=any>\(frame.text("network-any"))</option><option value=wifi>\(frame.text("network-wifi"))</option></select></label>
      <button>\(frame.text("ask"))</button></form>
      """
  }

  func statistics(_ counts: [String: Int64], waiting: Int, _ versions: [AliveRoutes.VersionCount]) -> String {
    func table(_ prefix: String) -> String {
      let rows = counts.filter { $0.key.hasPrefix(prefix + ".") }.sorted { $0.key < $1.key }.map { name, value in
        ["<code>\(HTML.escaped(String(name.dropFirst(prefix.count + 1))))</code>", "<span class=n>\(value)</span>"]
      }
      let head = [frame.word("column-what"), frame.word("column-count")]
      return "<h2>\(frame.text("counts-\(prefix)"))</h2>"
        + (rows.isEmpty ? frame.empty("none") : HTML.table(head, rows))
    }
    let alive = versions.map {
      [HTML.escaped($0.app), HTML.escaped($0.version), "<span class=n>\($0.devices)</span>", HTML.time($0.last)]
    }
    let head = ["app", "version", "devices", "last"].map { frame.word("column-\($0)") }
    return frame.page(
      frame.word("statistics"), section: "statistics",
      [
        "<p>\(frame.text("waiting", ["count": String(waiting)]))</p>", table("accepted"), table("duplicate"),
        table("refused"), table("left-out"), "<h2>\(frame.text("alive"))</h2>",
        alive.isEmpty ? frame.empty("none") : HTML.table(head, alive),
      ])
  }
}

/// An upload as lists show it.
struct UploadEntry: Sendable, Equatable, Codable {
  var id: String
  var name: String
  var kind: String
  /// `open`, `whole` or `refused`.
  var state: String
  var size: Int64?
  var offset: Int64
  var user: String
  var device: String
  var updated: Double

  var isWhole: Bool { state == "whole" }
}
