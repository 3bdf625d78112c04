import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import NetworkServingKit

extension CompletionKind {
  /// The profiles that are built in, the user's, and those of the files that options name, with their titles.
  static var networkProfiles: CompletionKind { candidates { Candidates(profiles(in: $0)) } }

  /// The same, and `off`.
  static var networkProfilesOrOff: CompletionKind { candidates { Candidates(profiles(in: $0) + [Candidate("off")]) } }

  /// The same in a list with commas, of which the last one is being typed.
  static var networkProfileList: CompletionKind {
    candidates { input in
      let named = input.current.split(separator: ",", omittingEmptySubsequences: false).dropLast()
      let before = named.map { $0 + "," }.joined()
      return Candidates(
        profiles(in: input).filter { !named.contains(Substring($0.value)) }
          .map { Candidate(before + $0.value, $0.detail) })
    }
  }

  /// The proxies of the server that a command asks, as it kept them last.
  static var networkProxies: CompletionKind {
    candidates { input in
      Candidates(
        keptProxies(input).map { Candidate($0.text("name"), "\($0.text("listen")) → \($0.text("upstream"))") })
    }
  }

  /// The toxics of the proxy that is the first argument.
  static var networkToxics: CompletionKind {
    candidates { input in
      let proxy = keptProxies(input).first { $0.text("name") == input.arguments.first }
      let toxics = (proxy?["toxics"]?.array ?? []).compactMap(\.object)
      let given = Set(input.arguments.dropFirst())
      return Candidates(
        toxics.map { Candidate($0.text("name"), $0.text("type")) }.filter { !given.contains($0.value) })
    }
  }

  /// The attributes of the type of toxic that is the second argument, with their units.
  static var toxicAttributes: CompletionKind {
    candidates { input in
      guard input.arguments.count > 1 else { return Candidates() }
      let named = Condition.Kind(rawValue: input.arguments[1])
      let given = Set(input.arguments.dropFirst(2).map { String($0.prefix { $0 != "=" }) })
      return Candidates(
        (named ?? keptKind(input))?.attributes.filter { !given.contains($0.name) }.map {
          Candidate($0.name + "=", $0.unit.symbol ?? "")
        } ?? [])
    }
  }

  private static func profiles(in input: CompletionInput) -> [Candidate] {
    let files = input.options.filter { $0.name == "--file" }.map(\.value)
    let own = try? ProfileCatalogue.loading(configuration: input.directories.configuration, files: files)
    return (own ?? .builtIn).profiles.map { Candidate($0.name, ListedProfiles.title(of: $0, .current)) }
  }

  /// The type of the toxic that the first two arguments name.
  private static func keptKind(_ input: CompletionInput) -> Condition.Kind? {
    let proxy = keptProxies(input).first { $0.text("name") == input.arguments.first }
    let toxic = (proxy?["toxics"]?.array ?? []).compactMap(\.object).first { $0.text("name") == input.arguments[1] }
    return (toxic?.text("type")).flatMap(Condition.Kind.init(rawValue:))
  }

  private static func keptProxies(_ input: CompletionInput) -> [JSONValue.Object] {
    let address = input.option("--api") ?? input.environment.variable("MPAAS_NET_API") ?? ControlClient.usualAddress
    let path = NetworkStatePlace.path(data: input.directories.data, address: address)
    guard let bytes = try? Bytes.reading(path, limit: 16 << 20), let state = try? JSONValue(reading: bytes.buffer)
    else { return [] }
    return (state.object?["proxies"]?.array ?? []).compactMap(\.object)
  }
}
