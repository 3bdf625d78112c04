import MPaaSFlags
import MPaaSVerification

/// The state of a user before the server has answered: the one that is kept, else the one that came with the app.
struct FlagStart: Sendable {
  /// The state that is kept; nil where there is none.
  var holding: FlagHolding?
  var state = FlagState()
  var source: FlagSource?
  /// The number of a signed state that is kept.
  var signed: SignedFlagMemory?
  var problems: [AppServiceError] = []

  init(_ configuration: FlagConfiguration, _ cache: FlagCache, _ user: String?) {
    if let content = cache.read(user, origin: configuration.origin) {
      do throws(AppServiceError) {
        let kept = try Self.kept(content, configuration, cache.path(user))
        (holding, state, signed, source) = (kept.holding, kept.holding.state, kept.signed, .cache)
        return
      } catch { problems.append(error) }
    }
    guard let bootstrap = configuration.bootstrap else { return }
    do throws(AppServiceError) {
      state = try FlagHolding(reading: bootstrap, place: "bootstrap").state
      source = .bootstrap
    } catch { problems.append(error) }
  }

  /// Reads a kept state.
  ///
  /// A signed one must be signed by keys that count now, but may have expired meanwhile: it is the last good one.
  private static func kept(
    _ content: FlagCache.Content, _ configuration: FlagConfiguration, _ path: String
  ) throws(AppServiceError) -> (holding: FlagHolding, signed: SignedFlagMemory?) {
    let document: SignedFlagState?
    do throws(TrustError) {
      document = try configuration.trust.document(in: content.body)
    } catch { throw AppServiceError(error) }
    var holding = try FlagHolding(reading: document?.state ?? content.body, place: path)
    (holding.etag, holding.eventID) = (content.etag, content.eventID)
    return (holding, document.map { SignedFlagMemory($0) })
  }
}
