import Foundation
import TripStoreCommands

/// The tool with a web server. `tripstore` hands over what needs one.
@main
enum InspectTool {
    static func main() async {
        #if Inspector
            exit(await TripStoreCommand.runProcess(nil, web: HummingbirdServer()))
        #else
            Console.standard.error(
                "This program was built without a web server: build it with 'Tools/build --product tripstore-inspect'.")
            exit(2)
        #endif
    }
}
