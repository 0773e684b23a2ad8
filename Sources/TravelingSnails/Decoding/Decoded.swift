/// What became of one record: it can be used, or it is left out for a reason.
enum Decoded<Record> {
    case good(Record)
    case bad(ExportProblem)
}
