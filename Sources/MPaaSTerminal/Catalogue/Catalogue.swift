import MPaaSSupport
import Synchronization

/// The sentences that users read, by key and language, embedded in the binary.
///
/// A key's topic is the resource that holds it; `Catalogue/Texts/<topic>.<language>.json` are flat objects.
package struct Catalogue: Sendable {
  package let language: Language
  private let texts: CatalogueTexts
  private let fallback: CatalogueTexts?

  package init(language: Language) {
    self.language = language
    texts = Self.loaded(language)
    fallback = language == .english ? nil : Self.loaded(.english)
  }

  /// The text of `key` with each `{name}` replaced; the key itself where no language has it.
  package func text(_ key: String, _ values: [String: String] = [:]) -> String {
    Self.fill(optionalText(key) ?? key, values)
  }

  /// The text of `key` as it stands, nil where no language has it.
  package func optionalText(_ key: String) -> String? {
    texts[key] ?? fallback?[key]
  }

  /// All keys that start with `prefix`, sorted.
  package func keys(startingWith prefix: String) -> [String] {
    texts.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Puts values in for `{name}`; an unknown name stays as it is.
  static func fill(_ template: String, _ values: [String: String]) -> String {
    guard !values.isEmpty, template.contains("{") else { return template }
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      let after = rest.index(after: open)
      guard let close = rest[after...].firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      result += values[String(rest[after..<close])] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private static let cache = Mutex<[Language: CatalogueTexts]>([:])

  private static func loaded(_ language: Language) -> CatalogueTexts {
    cache.withLock { cache in
      if let texts = cache[language] { return texts }
      let texts = CatalogueTexts(resources(language))
      cache[language] = texts
      return texts
    }
  }

  /// The embedded files of a language.
  static func resources(_ language: Language) -> [[UInt8]] {
    switch language {
    case .english:
      [
        PackageResources.house_en_json, PackageResources.symbols_en_json, PackageResources.macho_en_json,
        PackageResources.index_en_json, PackageResources.symbol_servers_en_json, PackageResources.capture_en_json,
        PackageResources.report_en_json, PackageResources.report_formats_en_json, PackageResources.dumps_en_json,
        PackageResources.groups_en_json,
        PackageResources.trust_en_json,
        PackageResources.keys_en_json,
        PackageResources.key_image_en_json,
        PackageResources.repository_en_json,
        PackageResources.registry_en_json,
        PackageResources.bundle_en_json,
        PackageResources.lua_en_json,
        PackageResources.lint_en_json,
        PackageResources.rollout_en_json,
        PackageResources.modules_en_json,
        PackageResources.resolver_en_json,
        PackageResources.module_archives_en_json,
        PackageResources.downloads_en_json,
        PackageResources.module_store_en_json,
        PackageResources.module_project_en_json,
        PackageResources.sdk_en_json,
        PackageResources.framework_en_json,
        PackageResources.runtime_en_json,
        PackageResources.config_en_json,
        PackageResources.declarations_en_json,
        PackageResources.templates_en_json,
        PackageResources.pieces_en_json,
        PackageResources.generate_en_json,
        PackageResources.generate_api_en_json,
        PackageResources.dao_en_json,
        PackageResources.pinyin_data_en_json,
        PackageResources.pinyin_convert_en_json,
        PackageResources.pinyin_text_en_json,
        PackageResources.pinyin_search_en_json,
        PackageResources.pinyin_index_en_json,
        PackageResources.pinyin_picker_en_json,
        PackageResources.pinyin_serve_en_json,
        PackageResources.net_en_json,
        PackageResources.net_conditions_en_json,
        PackageResources.net_proxy_en_json,
        PackageResources.net_http_en_json,
        PackageResources.net_dns_en_json,
        PackageResources.net_control_en_json,
        PackageResources.net_client_en_json,
        PackageResources.net_top_en_json,
        PackageResources.net_profiles_en_json,
        PackageResources.net_timelines_en_json,
        PackageResources.net_record_en_json,
        PackageResources.net_report_en_json,
        PackageResources.net_shape_en_json,
        PackageResources.net_run_en_json,
        PackageResources.database_en_json,
        PackageResources.log_en_json,
        PackageResources.log_write_en_json,
        PackageResources.log_format_en_json,
        PackageResources.log_search_en_json,
        PackageResources.log_pack_en_json,
        PackageResources.log_collect_en_json,
        PackageResources.transfer_en_json,
        PackageResources.file_en_json,
        PackageResources.server_en_json,
        PackageResources.server_ingest_en_json,
        PackageResources.server_pages_en_json,
      ]
    case .simplifiedChinese:
      [
        PackageResources.house_zh_Hans_json, PackageResources.symbols_zh_Hans_json,
        PackageResources.macho_zh_Hans_json, PackageResources.index_zh_Hans_json,
        PackageResources.symbol_servers_zh_Hans_json, PackageResources.capture_zh_Hans_json,
        PackageResources.report_zh_Hans_json, PackageResources.report_formats_zh_Hans_json,
        PackageResources.dumps_zh_Hans_json, PackageResources.groups_zh_Hans_json,
        PackageResources.trust_zh_Hans_json,
        PackageResources.keys_zh_Hans_json,
        PackageResources.key_image_zh_Hans_json,
        PackageResources.repository_zh_Hans_json,
        PackageResources.registry_zh_Hans_json,
        PackageResources.bundle_zh_Hans_json,
        PackageResources.lua_zh_Hans_json,
        PackageResources.lint_zh_Hans_json,
        PackageResources.rollout_zh_Hans_json,
        PackageResources.modules_zh_Hans_json,
        PackageResources.resolver_zh_Hans_json,
        PackageResources.module_archives_zh_Hans_json,
        PackageResources.downloads_zh_Hans_json,
        PackageResources.module_store_zh_Hans_json,
        PackageResources.module_project_zh_Hans_json,
        PackageResources.sdk_zh_Hans_json,
        PackageResources.framework_zh_Hans_json,
        PackageResources.runtime_zh_Hans_json,
        PackageResources.config_zh_Hans_json,
        PackageResources.declarations_zh_Hans_json,
        PackageResources.templates_zh_Hans_json,
        PackageResources.pieces_zh_Hans_json,
        PackageResources.generate_zh_Hans_json,
        PackageResources.generate_api_zh_Hans_json,
        PackageResources.dao_zh_Hans_json,
        PackageResources.pinyin_data_zh_Hans_json,
        PackageResources.pinyin_convert_zh_Hans_json,
        PackageResources.pinyin_text_zh_Hans_json,
        PackageResources.pinyin_search_zh_Hans_json,
        PackageResources.pinyin_index_zh_Hans_json,
        PackageResources.pinyin_picker_zh_Hans_json,
        PackageResources.pinyin_serve_zh_Hans_json,
        PackageResources.net_zh_Hans_json,
        PackageResources.net_conditions_zh_Hans_json,
        PackageResources.net_proxy_zh_Hans_json,
        PackageResources.net_http_zh_Hans_json,
        PackageResources.net_dns_zh_Hans_json,
        PackageResources.net_control_zh_Hans_json,
        PackageResources.net_client_zh_Hans_json,
        PackageResources.net_top_zh_Hans_json,
        PackageResources.net_profiles_zh_Hans_json,
        PackageResources.net_timelines_zh_Hans_json,
        PackageResources.net_record_zh_Hans_json,
        PackageResources.net_report_zh_Hans_json,
        PackageResources.net_shape_zh_Hans_json,
        PackageResources.net_run_zh_Hans_json,
        PackageResources.database_zh_Hans_json,
        PackageResources.log_zh_Hans_json,
        PackageResources.log_write_zh_Hans_json,
        PackageResources.log_format_zh_Hans_json,
        PackageResources.log_search_zh_Hans_json,
        PackageResources.log_pack_zh_Hans_json,
        PackageResources.log_collect_zh_Hans_json,
        PackageResources.transfer_zh_Hans_json,
        PackageResources.file_zh_Hans_json,
        PackageResources.server_zh_Hans_json,
        PackageResources.server_ingest_zh_Hans_json,
        PackageResources.server_pages_zh_Hans_json,
      ]
    }
  }
}

extension Catalogue {
  /// The catalogue of the language in force.
  package static var current: Catalogue { Catalogue(language: .current) }
}
