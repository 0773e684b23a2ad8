import Foundation
import NetworkCommands
import TripStoreCommands

/// The tool with a network. `tripstore` hands over what needs one.
@main
enum HubTool {
    static func main() async {
        #if Hub
            HubNetwork.prepareProcess()
            exit(await TripStoreCommand.runProcess(HubNetwork()))
        #else
            Console.standard.error(
                "This program was built without a network: build it with 'Tools/build --product tripstore-hub'.")
            exit(2)
        #endif
    }
}
