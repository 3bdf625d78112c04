import MPaaSSupport
import Testing

@Suite("Text in XML and HTML") struct MarkupTextTests {
  private let text = "a<b>&\"c'\td\ne\rf\u{1}g\u{fffe}h 中"

  @Test("between tags keeps quotes, and shows what XML cannot hold")
  func content() {
    #expect(text.escapedMarkup(.content) == "a&lt;b&gt;&amp;\"c'\td\ne&#13;f\u{fffd}g\u{fffd}h 中")
  }

  @Test("between double quotes escapes those")
  func quoted() {
    #expect(text.escapedMarkup(.quoted) == "a&lt;b&gt;&amp;&quot;c'\td\ne&#13;f\u{fffd}g\u{fffd}h 中")
  }

  @Test("in an attribute keeps line ends and tabs as references, and drops what XML cannot hold")
  func attribute() {
    #expect(text.escapedMarkup(.attribute) == "a&lt;b&gt;&amp;&quot;c&apos;&#9;d&#10;e&#13;fgh 中")
  }

  @Test("in HTML escapes quotes of both kinds in the way that every version knows")
  func html() {
    #expect("'\"\r".escapedMarkup(.html) == "&#39;&quot;\r")
  }

  @Test("each sign can have another one in its place")
  func chosen() {
    let escaping = MarkupEscaping(doubleQuote: "″", tab: " ", lineFeed: " ", carriageReturn: "", unspellable: "?")
    #expect(text.escapedMarkup(escaping) == "a&lt;b&gt;&amp;″c' d ef?g?h 中")
  }
}
