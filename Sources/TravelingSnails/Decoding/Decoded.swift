/// The result of decoding one record: usable, or left out for a reason.
enum Decoded<Record> {
    case good(Record)
    case bad(ExportProblem)
}
