import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSProfile

@Suite("Written profiles") struct FormatPeersTests {
  /// Tells whether the Python packages that read profiles are installed.
  private static let hasPeers: Bool = {
    guard FileManager.default.isExecutableFile(atPath: Fixture.python) else { return false }
    let check = ["-c", "import jsonschema, google.protobuf, perfetto.protos.perfetto.trace.perfetto_trace_pb2"]
    return (try? Command.run(Fixture.python, check))?.status == 0
  }()

  @Test(
    "load by speedscope's schema, pprof's and Perfetto's messages and Firefox's tables, with the same weights",
    .enabled(if: hasPeers, "the Python packages are not installed: run scripts/bootstrap --peers"))
  func readers() throws {
    let profile = Profile.sample()
    let folder = try TemporaryFolder()
    for output in ProfileOutput.allCases {
      try Data(output.bytes(profile)).write(to: folder.url.appending(path: "out.\(output.rawValue)"))
    }
    let outcome = try Command.run(Fixture.python, ["-c", Self.script, folder.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let sums = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    #expect(sums == [Int64](repeating: profile.total, count: 4))
  }

  private static let script = #"""
    """Reads written profiles by the formats' own schemas, and prints the sums of their weights."""
    import gzip, json, sys
    import jsonschema
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2

    folder = sys.argv[1]

    NUMBERS = {"type": "array", "items": {"type": "number"}}
    PROFILE = {"type": "object", "required": ["type", "name", "unit", "startValue", "endValue"], "properties": {
        "name": {"type": "string"}, "startValue": {"type": "number"}, "endValue": {"type": "number"},
        "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]}}}
    SPEEDSCOPE = {"type": "object", "required": ["$schema", "profiles", "shared"], "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "name": {"type": "string"}, "exporter": {"type": "string"}, "activeProfileIndex": {"type": "number"},
        "shared": {"type": "object", "required": ["frames"], "properties": {"frames": {"type": "array", "items": {
            "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "file": {"type": "string"},
            "line": {"type": "number"}, "col": {"type": "number"}}}}}},
        "profiles": {"type": "array", "items": {"allOf": [PROFILE, {"required": ["samples", "weights"], "properties": {
            "type": {"const": "sampled"}, "samples": {"type": "array", "items": NUMBERS}, "weights": NUMBERS}}]}}}}

    def speedscope():
        file = json.load(open(folder + "/out.speedscope"))
        jsonschema.validate(file, SPEEDSCOPE)
        first = file["profiles"]
        for profile in first:
            assert len(profile["samples"]) == len(profile["weights"])
            assert sum(profile["weights"]) == profile["endValue"]
            assert all(frame < len(file["shared"]["frames"]) for stack in profile["samples"] for frame in stack)
        return sum(sum(profile["weights"]) for profile in first[:len(first) // 2])

    def pprof():
        U64, I64, TEXT, MESSAGE = 4, 3, 9, 11
        fields = {
            "ValueType": [("type", 1, I64, 1), ("unit", 2, I64, 1)],
            "Label": [("key", 1, I64, 1), ("str", 2, I64, 1), ("num", 3, I64, 1), ("num_unit", 4, I64, 1)],
            "Breakdown": [("ticks", 1, I64, 3), ("value", 2, I64, 3), ("label_set_id", 3, U64, 3)],
            "Sample": [("location_id", 1, U64, 3), ("value", 2, I64, 3), ("label", 3, "Label", 3), ("breakdown", 4, "Breakdown", 3)],
            "Mapping": [("id", 1, U64, 1), ("memory_start", 2, U64, 1), ("memory_limit", 3, U64, 1), ("file_offset", 4, U64, 1),
                ("filename", 5, I64, 1), ("build_id", 6, I64, 1), ("has_functions", 7, 8, 1)],
            "Line": [("function_id", 1, U64, 1), ("line", 2, I64, 1)],
            "Location": [("id", 1, U64, 1), ("mapping_id", 2, U64, 1), ("address", 3, U64, 1), ("line", 4, "Line", 3)],
            "Function": [("id", 1, U64, 1), ("name", 2, I64, 1), ("system_name", 3, I64, 1), ("filename", 4, I64, 1), ("start_line", 5, I64, 1)],
            "Profile": [("sample_type", 1, "ValueType", 3), ("sample", 2, "Sample", 3), ("mapping", 3, "Mapping", 3),
                ("location", 4, "Location", 3), ("function", 5, "Function", 3), ("string_table", 6, TEXT, 3),
                ("time_nanos", 9, I64, 1), ("duration_nanos", 10, I64, 1), ("period_type", 11, "ValueType", 1), ("period", 12, I64, 1),
                ("comment", 13, I64, 3), ("default_sample_type", 14, I64, 1), ("tick_unit", 15, I64, 1)]}
        file = descriptor_pb2.FileDescriptorProto(name="profile.proto", package="p", syntax="proto3")
        for name, members in fields.items():
            message = file.message_type.add(name=name)
            for field, number, kind, label in members:
                added = message.field.add(name=field, number=number, label=label)
                if isinstance(kind, str): added.type, added.type_name = MESSAGE, ".p." + kind
                else: added.type = kind
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        profile = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.Profile"))()
        profile.ParseFromString(gzip.open(folder + "/out.pprof").read())
        assert profile.string_table[0] == ""
        locations = {location.id for location in profile.location}
        functions = {function.id for function in profile.function}
        mappings = {mapping.id for mapping in profile.mapping} | {0}
        assert all(line.function_id in functions for location in profile.location for line in location.line)
        assert all(location.mapping_id in mappings for location in profile.location)
        shown = [t.type for t in profile.sample_type].index(profile.default_sample_type)
        for sample in profile.sample:
            assert set(sample.location_id) <= locations
            for value, part in zip(sample.value, sample.breakdown):
                assert len(part.ticks) == len(part.value) and sum(part.value) == value
        return sum(sample.value[shown] for sample in profile.sample)

    def perfetto():
        trace = perfetto_trace_pb2.Trace()
        trace.ParseFromString(open(folder + "/out.perfetto", "rb").read())
        data = [p.interned_data for p in trace.packet if p.HasField("interned_data")][0]
        names = {entry.iid for entry in data.function_names}
        frames = {frame.iid: frame for frame in data.frames}
        stacks = {stack.iid: stack for stack in data.callstacks}
        contexts = {context.iid for context in data.stack_sample_task_contexts}
        assert all(frame.function_name_id in names for frame in frames.values())
        assert all(frame in frames for stack in stacks.values() for frame in stack.frame_ids)
        samples = [p.stack_sample for p in trace.packet if p.HasField("stack_sample")]
        assert all(s.callstack_iid in stacks and s.task_context_iid in contexts for s in samples)
        return sum(s.primary_weight for s in samples)

    def firefox():
        file = json.load(open(folder + "/out.firefox"))
        assert file["meta"]["preprocessedProfileVersion"] == 62
        shared = file["shared"]
        for table in ["stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols", "sources"]:
            columns = shared[table]
            assert all(len(column) == columns["length"] for key, column in columns.items() if key != "length"), table
        stacks = shared["stackTable"]
        assert all(prefix is None or prefix < row for row, prefix in enumerate(stacks["prefix"]))
        assert all(frame < shared["frameTable"]["length"] for frame in stacks["frame"])
        assert all(name < len(shared["stringArray"]) for name in shared["funcTable"]["name"])
        total = 0
        for thread in file["threads"]:
            samples = thread["samples"]
            assert all(len(samples[key]) == samples["length"] for key in ["stack", "weight", "timeDeltas"])
            assert all(stack is None or stack < stacks["length"] for stack in samples["stack"])
            scale = 1_000_000 if samples["weightType"] == "tracing-ms" else 1
            total += sum(round(weight * scale) for weight in samples["weight"])
        return total

    print(speedscope(), pprof(), perfetto(), firefox())
    """#
}
