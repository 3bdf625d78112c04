import Foundation
import MPaaSModulesTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Pages of modules") struct ModulePageTests {
  private func post(
    _ server: TestServer, _ form: String, site: String = "same-origin", token: String? = nil
  ) async throws -> TestAnswer {
    try await server.send(
      "POST", server.modulePage,
      [
        "Authorization": "", "Cookie": "mpaas_token=\(token ?? server.token)", "Sec-Fetch-Site": site,
        "Content-Type": "application/x-www-form-urlencoded",
      ], body: Array(form.utf8))
  }

  @Test("choose by a form, from their own site alone, and show versions, reasons and what to download")
  func form() async throws {
    let server = try await TestServer.offering(try .shop())
    #expect(try await server.send("GET", "/modules").headers["location"] == server.modulePage)
    let empty = try await server.send("GET", server.modulePage)
    #expect(empty.status == 200 && empty.text.contains("No modules are chosen yet."))
    #expect(empty.text.contains("verified, signed by targets of main") && !empty.text.contains("modules.zip"))
    #expect(
      empty.text.contains("aria-label=\"Version of Payment\"") && empty.text.contains("<option value=\"^2.0.0\">"))
    let form = "version=0&platform=ios&minimum=13&shown=Payment&shown=Log&use=Payment&version.Payment=%5E2.0.0"
    #expect(try await post(server, form, site: "cross-site").status == 403)
    let reader = try await server.services.access.issue("r", [.read], lifetime: 1e6).token
    #expect(try await post(server, form, token: reader).status == 403)
    let made = try await post(server, form)
    #expect(made.status == 303 && made.headers["location"] == server.modulePage, "\(made.text)")
    let page = try await server.send("GET", server.modulePage)
    for part in [
      "Payment ^2.0.0 → Network ^3", "ios 13", "\(server.modulePage)/modules.zip", "\(server.modulePage)/mpaas.toml",
      "name=use value=\"Payment\" checked", "<option value=\"^2.0.0\" selected>", "<option selected>ios</option>",
    ] { #expect(page.text.contains(part), "\(part)") }
    for (name, type) in [
      ("mpaas.toml", "application/toml"), ("mpaas.lock", "application/toml"), ("modules.zip", "application/zip"),
    ] {
      let file = try await server.send("GET", "\(server.modulePage)/\(name)")
      #expect(file.status == 200 && file.headers["content-type"] == type, "\(file.text)")
      #expect(file.headers["content-disposition"] == "attachment; filename=\"\(name)\"")
    }
    // Modules that a form does not show stay; those that it shows without a tick go.
    #expect(try await post(server, "version=1&shown=Log&use=Log&version.Log=*").status == 303)
    #expect(try await server.send("GET", server.modules).text.contains("Payment"))
    #expect(try await post(server, "version=2&shown=Payment").status == 303)
    let left = try await server.send("GET", server.modules)
    #expect((left.json["modules"] as? [String: Any])?.keys.sorted() == ["Log"])
    // A form that somebody else was faster than.
    let late = try await post(server, "version=2&shown=Log")
    #expect(late.status == 409 && late.text.contains("role=alert") && late.text.contains("somebody else"))
    await server.end()
  }

  @Test("tell a conflict with its steps, and keep what was ticked")
  func conflict() async throws {
    let server = try await TestServer.offering(try .shop())
    let form = "version=0&shown=Payment&shown=Network&use=Payment&version.Payment=%5E2&use=Network&version.Network=%5E2"
    let refused = try await post(server, form)
    #expect(refused.status == 409 && refused.text.contains("role=alert"))
    #expect(refused.text.contains("No versions of the modules fit together."))
    #expect(refused.text.contains("– ask for Network ^3.0.0 instead of ^2"))
    #expect(!refused.text.contains("mpaas module add"))
    #expect(refused.text.contains("name=use value=\"Network\" checked"))
    #expect(refused.text.contains("<option value=\"^2\" selected>^2</option>"))
    #expect(try await server.send("GET", server.modules).json["version"] as? Int == 0)
    await server.end()
  }

  @Test("show texts of modules as texts")
  func hostile() async throws {
    let server = try await TestServer.offering(try .shop())
    let page = try await server.send("GET", server.modulePage + "?text=%3Cscript%3E")
    #expect(page.text.contains("&lt;script&gt;alert(1)") && !page.text.contains("<script"))
    let refused = try await post(server, "version=0&shown=x&use=%3Cscript%3E&version.%3Cscript%3E=1")
    #expect(refused.status == 400 && !refused.text.contains("<script"))
    #expect(try await post(server, "version=0&shown=Log&use=Log&version.Log=%3Cscript%3E").status == 400)
    await server.end()
  }

  @Test("stay below 40 kB with many modules, versions and what is chosen of them, in both languages")
  func size() async throws {
    let modules = (0..<60).flatMap { number in
      (0..<12).map { version in
        var module = SignedModules.Module(
          "Module\(number)", "1.\(version).0", needs: number == 0 ? [:] : ["Module\(number - 1)": "^1"])
        module.summary = String(repeating: "A sentence about a module. ", count: 20)
        return module
      }
    }
    let server = try await TestServer.offering(try SignedModules(modules))
    #expect(try await server.chosen(#"{"modules":{"Module59":"^1"}}"#).chosen.count == 60)
    for language in ["en", "zh-CN"] {
      for query in ["", "?after=Module27", "?text=sentence", "/chosen"] {
        let page = try await server.send("GET", server.modulePage + query, ["Accept-Language": language])
        #expect(page.status == 200 && page.body.count <= 40_000, "\(language) \(query): \(page.body.count)")
      }
    }
    let page = try await server.send("GET", server.modulePage, ["Accept-Language": "zh-CN"])
    #expect(page.text.contains("全部 60 个模块") && page.text.contains("已验证，由 main 的 targets 签名"))
    #expect(page.text.contains("\(server.modulePage)?after=Module26"), "\(page.text)")
    await server.end()
  }
}
