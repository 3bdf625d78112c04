import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The texts that Objective-C sources ask for") struct ObjectiveCSourceTests {
  @Test("are those that the fixtures list, with tables, values, comments and lines", .fixtures)
  func fixture() throws { try ExpectedTexts.check("A", "m", .c) }

  @Test("are found in every macro, in CFSTR, in messages to bundles and in brackets")
  func forms() {
    let found = extracted(
      #"""
      a = NSLocalizedStringFromTable(@"a", @"T", @"c");
      b = CFCopyLocalizedStringWithDefaultValue(CFSTR("b"), CFSTR("U"), bundle, CFSTR("B"), "why");
      c = [[NSBundle mainBundle] localizedStringForKey:@"c" value:@"C" table:@"V"];
      d = [self.bundle localizedStringForKey:(@"d") value:nil table:nil];
      e = NSLocalizedString((@"e"), nil), f = NSLocalizedString(@("f"), @"x");
      g = NSLocalizedAttributedStringFromTable(@"g", NULL, @"");
      h = flag ? NSLocalizedString(@"h1", nil) : NSLocalizedString(@"h2", nil);
      i = NSLocalizedString(flag ? @"i1" : @"i2", nil);
      """#, .c)
    #expect(found.keys == ["a", "b", "c", "d", "e", "f", "g", "h1", "h2", "i1", "i2"])
    #expect(found.dynamic.isEmpty)
    #expect(found.texts.prefix(3).map(\.table) == ["T", "U", "V"])
    #expect(found.texts.prefix(3).map(\.value) == [nil, "B", "C"])
    #expect(found.texts.prefix(6).map(\.comment) == ["c", "why", nil, nil, nil, "x"])
  }

  @Test("are read with the escapes of C, joined literals, raw ones of C++ and lines that go on")
  func literals() {
    let found = extracted(
      #"""
      NSLocalizedString(@"\x41\102\u4f60\U0001F600\?\e", @"a"
        /* between */ "b" @"c");
      NSLocalizedString(@"one \
      two", nil); NSLocalizedString(@R"x(raw \n ")x", nil); int n = 1'000'000; char q = '"';
      NSLocalizedString(@"end", nil)
      """#, .c)
    #expect(found.keys == ["AB你😀?\u{1b}", "one two", "raw \\n \"", "end"])
    #expect(found.texts[0].comment == "abc")
  }

  @Test("are not looked for in what the preprocessor passes over, whose apostrophes open nothing")
  func directives() {
    let found = extracted(
      #"""
      #pragma mark - Don't stop
      #error can't "
      #if 0
      NSLocalizedString(@"no", nil); don't
      #if 1
      #endif
      #else
      NSLocalizedString(@"yes", nil);
      #endif
      #import "NSLocalizedString(x, y)"
      // NSLocalizedString(@"no", nil) \
         NSLocalizedString(@"no either", nil)
      """#, .c)
    #expect(found.keys == ["yes"])
    #expect(found.dynamic.isEmpty)
  }

  @Test("are no warnings where a macro or a function only passes its parameter on")
  func wrappers() {
    let found = extracted(
      #"""
      #define L(key) NSLocalizedStringFromTable(key, \
        @"T", nil)
      #define NSLocalizedString(key, comment) [b localizedStringForKey:(key) value:@"" table:nil]
      static NSString *Tr(NSString *key) { return NSLocalizedString(key, nil); }
      - (NSString *)textFor:(NSString *)name {
        return NSLocalizedString(name, nil);
      }
      - (NSString *)localizedStringForKey:(NSString *)key value:(NSString *)value table:(NSString *)table;
      NSString *NSLocalizedString(NSString *key, NSString *comment);
      if (key) { x = NSLocalizedString(key, nil); }
      """#, .c)
    #expect(found.wrappers.map(\.name) == ["L", "NSLocalizedString", "Tr", "textFor"])
    #expect(found.dynamic.map(\.line) == [10])
  }

  @Test("are found in UTF-16 too")
  func encodings() {
    let text = "x = NSLocalizedString(@\"你好\", nil);"
    let bytes: [UInt8] = [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let found = SourceExtraction().texts(in: Bytes(bytes), file: "a.m", language: .c)
    #expect(found.keys == ["你好"])
  }
}
