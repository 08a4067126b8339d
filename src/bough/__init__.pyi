from bough import datasets as datasets
from bough import losses as losses
from bough import teach as teach
from bough.drawing import draw as draw
from bough.errors import BoughDeprecationWarning as BoughDeprecationWarning
from bough.errors import BoughError as BoughError
from bough.errors import BudgetError as BudgetError
from bough.errors import DataError as DataError
from bough.errors import DataTypeError as DataTypeError
from bough.errors import DistributedError as DistributedError
from bough.errors import ModelFormatError as ModelFormatError
from bough.errors import ParameterError as ParameterError
from bough.errors import SchemaError as SchemaError
from bough.estimators import DecisionTreeClassifier as DecisionTreeClassifier
from bough.estimators import DecisionTreeRanker as DecisionTreeRanker
from bough.estimators import DecisionTreeRegressor as DecisionTreeRegressor
from bough.estimators import load as load
from bough.exports import export as export
from bough.learn import Result as Result
from bough.learn import fit as fit
from bough.learn.check import check as check
from bough.learn.compare import compare as compare
from bough.learn.evaluate import evaluate as evaluate
from bough.learn.score import score as score
from bough.pruning import prune as prune
from bough.table.file import read_file as read_file

__version__: str
