import ArgumentParser

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Name the rows.")

    func run() {
        for row in Rows.all { print(row.name + String(repeating: " ", count: max(1, 20 - row.name.count)) + row.work) }
    }
}
