"""What EDT leaves out because it is the default, as a Configurator dump writes it in every object.

Only what says something about an object; that flags are off and lengths are zero goes without saying in a dump too.
Compared with configurations that are public in both formats.
"""

from collections.abc import Mapping
from types import MappingProxyType

_NUMBER = {"NumberType": "Number", "NumberPeriodicity": "Nonperiodical"}

DEFAULTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "Configuration": {
            "ScriptVariant": "English",
            "DataLockControlMode": "Automatic",
            "ModalityUseMode": "Use",
            "SynchronousPlatformExtensionAndAddInCallUseMode": "Use",
            "InterfaceCompatibilityMode": "Taxi",
        },
        "Catalog": {"CodeType": "Number"},
        "ChartOfCalculationTypes": {"CodeType": "Number"},
        "Document": {
            **_NUMBER,
            "Posting": "Allow",
            "RealTimePosting": "Allow",
            "RegisterRecordsDeletion": "AutoDeleteOnUnpost",
            "RegisterRecordsWritingOnPost": "WriteSelected",
        },
        "DocumentNumerator": _NUMBER,
        "BusinessProcess": _NUMBER,
        "Task": {"NumberType": "Number", "TaskNumberAutoPrefix": "BusinessProcessNumber"},
        "Sequence": {"MoveBoundaryOnPosting": "Move"},
        "InformationRegister": {"InformationRegisterPeriodicity": "Nonperiodical", "WriteMode": "Independent"},
        "AccumulationRegister": {"RegisterType": "Balance"},
        "AccumulationRegister.Dimension": {"UseInTotals": "false"},
        "CommonAttribute": {
            "DataSeparation": "Separate",
            "AutoUse": "Use",
            "UsersSeparation": "Separate",
            "AuthenticationSeparation": "Separate",
            "ConfigurationExtensionsSeparation": "Separate",
        },
        "CommandGroup": {"Category": "NavigationPanel"},
        "CommonForm": {"FormType": "Managed"},
        "Form": {"FormType": "Managed"},
        "CommonTemplate": {"TemplateType": "SpreadsheetDocument"},
        "Template": {"TemplateType": "SpreadsheetDocument"},
        "StyleItem": {"Type": "Color"},
        "Table": {"TableType": "Table", "TableDataType": "ObjectData"},
        "Method": {"HTTPMethod": "GET"},
        "Parameter": {"TransferDirection": "In"},
        "IntegrationServiceChannel": {"MessageDirection": "Send"},
    }
)
"""Kind (or the owner's kind and that of its child) → property of a dump → value."""
