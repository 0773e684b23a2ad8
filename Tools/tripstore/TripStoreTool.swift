import Foundation
import TripStoreCommands

@main
enum TripStoreTool {
    static func main() async {
        exit(await TripStoreCommand.runProcess())
    }
}
